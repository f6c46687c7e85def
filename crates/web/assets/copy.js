// Copies the LaTeX of a formula: a button beside it while the mouse rests on it, while it or its link has the
// focus, and after a long press. The LaTeX is the source that the formula was drawn from.

/** Milliseconds until the mouse rests on a formula, until it has left one, and of a long press. */
const [REST, LEAVE, PRESS] = [350, 400, 500];

/** Where formulas are only shown to be chosen or as they are typed. */
const ELSEWHERE = "#palette, .complete, .preview, .written";

/** Puts a text on the clipboard; says whether it did. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Servers without TLS: browsers offer only the old way there.
    const field = document.createElement("textarea");
    const before = document.activeElement;
    field.value = text;
    field.className = "unseen";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    before?.focus?.({ preventScroll: true });
    return done;
  }
}

/** The formula that an event is about. */
function formulaAt(target) {
  const math = target instanceof Element ? target.closest("math[alttext]") : null;
  return math && !math.closest(ELSEWHERE) ? math : null;
}

/** What has the focus when a formula is meant. */
const holderOf = (math) => math.closest("a, .scroll[tabindex]") ?? math.closest(".fx, .math-container") ?? math;

/** Lets formulas be copied; gives what keys do with them. */
export function copyFormulas(say) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy-latex";
  button.textContent = "Copy LaTeX";
  let [shown, timer, pressed, touched] = [null, 0, false, false];

  const hide = () => {
    clearTimeout(timer);
    shown = null;
    button.remove();
    button.textContent = "Copy LaTeX";
  };
  const place = () => {
    if (!shown) return;
    const [math, box] = [shown.getBoundingClientRect(), holderOf(shown).getBoundingClientRect()];
    // Of a formula that scrolls only a part is seen.
    const right = Math.min(math.right, Math.max(box.right, box.left + 1), innerWidth - 4);
    const { width, height } = button.getBoundingClientRect();
    const above = Math.min(math.top, box.top) - height;
    button.style.left = `${Math.max(4, right - width)}px`;
    button.style.top = `${above < 0 ? Math.max(math.bottom, box.bottom) : above}px`;
  };
  const show = (math) => {
    clearTimeout(timer);
    if (shown === math) return;
    hide();
    shown = math;
    // Behind the formula, so that Tab leads from one to the other.
    holderOf(math).after(button);
    place();
  };
  const has = (element) => element === button || (shown && element && holderOf(shown).contains(element));
  const leave = () => {
    clearTimeout(timer);
    // A click gave the button the focus, too; who came by keys keeps it.
    timer = setTimeout(() => {
      const active = document.activeElement;
      if (!has(active) || !active.matches(":focus-visible")) hide();
    }, LEAVE);
  };
  const take = async () => {
    if (!shown) return;
    const done = await copy(shown.getAttribute("alttext"));
    button.textContent = done ? "Copied" : "Not allowed here";
    if (done) say("LaTeX copied");
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = "Copy LaTeX";
      place();
    }, 1500);
  };

  button.addEventListener("click", take);
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const math = formulaAt(event.target);
    if (event.target === button || (math && math === shown)) {
      clearTimeout(timer);
    } else if (math) {
      clearTimeout(timer);
      timer = setTimeout(() => { if (math.isConnected && document.activeElement !== button) show(math); }, REST);
    } else {
      leave();
    }
  });
  document.addEventListener("focusin", (event) => {
    if (event.target === button) return;
    const holder = event.target.closest("a, .scroll[tabindex], .fx, .math-container, math");
    const math = holder === event.target && holder.matches(":focus-visible") ? holder.querySelector("math[alttext]") : null;
    if (math && formulaAt(math)) show(shown && holder.contains(shown) ? shown : math);
    else if (shown && !has(event.target)) hide();
  });
  // A long press: browsers that have a menu for it say so, others only that a finger is there.
  document.addEventListener("pointerdown", (event) => {
    [pressed, touched] = [false, event.pointerType === "touch"];
    if (event.target === button) return;
    hide();
    const math = formulaAt(event.target);
    if (!touched || !math) return;
    timer = setTimeout(() => {
      pressed = true;
      show(math);
    }, PRESS);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    document.addEventListener(name, () => { if (touched && !shown) clearTimeout(timer); });
  }
  document.addEventListener("contextmenu", (event) => {
    const math = touched ? formulaAt(event.target) : null;
    if (!math) return;
    event.preventDefault();
    pressed = true;
    show(math);
  });
  document.addEventListener("click", (event) => {
    // The link of a formula that was pressed for long is not followed.
    if (pressed && event.target !== button && formulaAt(event.target)) event.preventDefault();
    pressed = false;
  }, { capture: true });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !shown) return;
    if (document.activeElement === button) holderOf(shown).focus?.();
    hide();
  });
  for (const name of ["scroll", "resize"]) addEventListener(name, place, { capture: true, passive: true });

  /** The next or previous formula of the page. */
  const walk = (step) => {
    const all = [...document.querySelectorAll("main math[alttext]")].filter((math) =>
      formulaAt(math) && math.getClientRects().length > 0);
    if (all.length === 0) return;
    let at = all.indexOf(shown);
    if (at >= 0) {
      at += step;
    } else {
      const here = document.activeElement ?? document.body;
      const behind = all.findIndex((math) => here === document.body
        || here.compareDocumentPosition(math) & Node.DOCUMENT_POSITION_FOLLOWING);
      at = step > 0 ? behind : (behind < 0 ? all.length : behind) - 1;
    }
    const math = all[at];
    if (!math) return;
    const holder = holderOf(math);
    if (!holder.matches("a, [tabindex]")) holder.tabIndex = -1;
    holder.focus();
    show(math);
  };
  return { next: () => walk(1), previous: () => walk(-1), take };
}
