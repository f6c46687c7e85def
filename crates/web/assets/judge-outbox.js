// What is on its way to the server: one after the other, again and again until it is kept. What is sent again
// has the name that it had before, so that the server counts it once.

/** Waits between attempts, in milliseconds; the last one again and again. */
const WAITS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** An answer that takes longer than this will not come. */
const PATIENCE = 30_000;

/** A name for a request that no other has. */
export function requestName() {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

export class Outbox {
  /** What waits: { path, fields, label, kept, state } */
  #queue = [];
  /** What the server does not take. */
  refused = [];
  #running = false;
  #wake = null;
  #tell;
  #renew;

  /** `tell` is called whenever something changes; `renew` gets a new token when the old one is not taken. */
  constructor({ tell, renew }) {
    this.#tell = tell;
    this.#renew = renew;
    addEventListener("online", () => this.hurry());
  }

  get waiting() { return this.#queue.length; }
  get unsaved() { return this.#queue.length + this.refused.length; }

  /** Whether something that was said of a thing is not kept yet. */
  has(of) { return [...this.#queue, ...this.refused].some((letter) => letter.of === of); }

  add(letter) {
    // Who says something else of a thing does not want what was refused any more.
    this.refused = this.refused.filter((old) => old.of === undefined || old.of !== letter.of);
    this.#queue.push({ tries: 0, ...letter });
    this.#run();
  }

  /** Sends again now what waits and what was refused. */
  again() {
    this.#queue.unshift(...this.refused.splice(0));
    this.hurry();
    this.#run();
  }

  hurry() { this.#wake?.(); }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    while (this.#queue.length > 0) {
      const letter = this.#queue[0];
      this.#tell({ state: letter.tries === 0 ? "saving" : "retrying", letter });
      const { answer, problem, lasting, token } = await this.#send(letter);
      if (problem === undefined) {
        this.#queue.shift();
        letter.kept?.(answer);
        this.#tell({ state: "saved", letter });
        continue;
      }
      letter.tries += 1;
      if (token && letter.tries === 1 && await this.#renew()) continue;
      if (lasting) {
        this.refused.push(this.#queue.shift());
        this.#tell({ state: "refused", letter, problem });
        continue;
      }
      this.#tell({ state: "waiting", letter, problem });
      await this.#pause(WAITS[Math.min(letter.tries, WAITS.length) - 1]);
      if (token) await this.#renew();
    }
    this.#running = false;
  }

  #pause(milliseconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => { clearTimeout(timer); resolve(); };
    }).finally(() => { this.#wake = null; });
  }

  async #send({ path, fields }) {
    let response;
    try {
      response = await fetch(path, {
        method: "POST",
        headers: { accept: "application/json", "x-csrf": token() },
        body: new URLSearchParams(fields),
        signal: AbortSignal.timeout(PATIENCE),
      });
    } catch {
      return { problem: "there is no connection" };
    }
    let answer = null;
    try {
      answer = await response.json();
    } catch {
      // What is no JSON does not come from our server, or broke off.
      if (response.ok) return { problem: "the answer broke off" };
    }
    if (response.ok) return { answer };
    const problem = answer?.error ?? `the server answered with ${response.status}`;
    if (response.status === 401) return { problem: "you are signed out; sign in in another tab", token: true };
    if (response.status === 403) return { problem, lasting: true, token: true };
    const passing = response.status >= 500 || [408, 425, 429].includes(response.status);
    return { problem, lasting: !passing };
  }
}

/** What shows the server that a request comes from our page. */
export function token(value) {
  const meta = document.querySelector("meta[name=csrf]");
  if (value !== undefined) meta.content = value;
  return meta.content;
}
