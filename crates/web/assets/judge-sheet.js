// The pages of a batch: loaded before they are needed, put in place without loading the rest again.

/** Everything of a page that belongs to one item. */
const SHEET = "#sheet";

export class Sheets {
  #assignment;
  /** Pages on their way, or there. */
  #pages = new Map();
  /** All pages of the batch in their order: { task, done, skips }. */
  steps;

  constructor(assignment) {
    this.#assignment = assignment;
    this.steps = sheet().dataset.steps.split(",").filter(Boolean).map((step) => {
      const [task, done, skips] = step.split(":");
      return { task, done: done === "1", skips: Number(skips) };
    });
  }

  address(task) { return `/task/${this.#assignment}/${task}`; }
  step(task) { return this.steps.find((step) => step.task === task); }
  get done() { return this.steps.filter((step) => step.done).length; }

  /** The next page that is not done, those put off last; after the last comes the first. */
  next(task) {
    const order = (step) => [step.skips, this.steps.indexOf(step)];
    const before = (one, other) => {
      const [a, b] = [order(one), order(other)];
      return a[0] - b[0] || a[1] - b[1];
    };
    const here = this.step(task);
    const others = this.steps.filter((step) => !step.done && step.task !== task).sort(before);
    return (others.find((step) => before(here, step) < 0) ?? others[0])?.task ?? null;
  }

  /** Begins to load a page. */
  prepare(task) {
    if (task === null || this.#pages.has(task)) return;
    const page = load(this.address(task));
    this.#pages.set(task, page);
    // It is tried again when it is needed.
    page.catch(() => this.#pages.delete(task));
  }

  /** A page that must be as the server has it now. */
  forget(task) { this.#pages.delete(task); }

  /** A page, to be put in place of the one that is there. */
  async get(task) {
    this.prepare(task);
    const made = await this.#pages.get(task);
    this.#pages.delete(task);
    return made;
  }
}

/** What is there now. */
export function sheet() { return document.querySelector(SHEET); }

/** Loads a page and takes out what belongs to its item. */
async function load(address) {
  const response = await fetch(address, { headers: { accept: "text/html" } });
  if (!response.ok) throw new Error(`answered with ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const found = page.querySelector(SHEET);
  // Who is signed out is led elsewhere.
  if (!found) throw new Error("this is another page");
  return document.adoptNode(found);
}

/** A new token, from a page that is loaded now. */
export async function freshToken() {
  const response = await fetch(location.pathname, { headers: { accept: "text/html" } });
  if (!response.ok) return null;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return page.querySelector(SHEET) ? page.querySelector("meta[name=csrf]")?.content ?? null : null;
}
