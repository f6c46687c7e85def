// How long somebody looks at something: only while the page is seen and they do something now and then.

/** Who does nothing for so long (milliseconds) is not there. */
const IDLE = 60_000;
/** Between two ticks is a second; if it is much more, the computer slept. */
const ASLEEP = 5_000;

export class Clock {
  #active = 0;
  #last = performance.now();
  #input = performance.now();

  constructor() {
    const touch = () => {
      // What came before the input counts only if it was not idle time.
      this.#tick();
      this.#input = performance.now();
    };
    for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "scroll", "touchstart"]) {
      document.addEventListener(kind, touch, { passive: true, capture: true });
    }
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#tick(true);
      else this.#last = this.#input = performance.now();
    });
    setInterval(() => this.#tick(), 1000);
  }

  /** Counts what passed since the last time. */
  #tick(leaving = false) {
    const now = performance.now();
    const until = Math.min(now, this.#input + IDLE);
    const passed = until - this.#last;
    if ((leaving || !document.hidden) && passed > 0 && now - this.#last <= ASLEEP) this.#active += passed;
    this.#last = now;
  }

  /** The seconds since it was last asked; it begins anew. */
  take() {
    this.#tick();
    const seconds = Math.round(this.#active / 100) / 10;
    this.#active = 0;
    return seconds;
  }
}
