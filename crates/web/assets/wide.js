// What is too wide scrolls by itself; by keys it can only be scrolled when it can have the focus.

const BOXES = ".text, .text .block, .text pre, .text table, .scroll, .fx, .math-container, .thread h1, .hit h2, .hit h3";

/** Makes all that scrolls sideways below an element reachable by keys, and nothing else. */
export function reachable(root = document) {
  for (const box of root.querySelectorAll(BOXES)) {
    // Links can have the focus, and what stands in one is not to have it for itself.
    if (box.closest("a")) continue;
    const wide = box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "visible";
    if (wide && !box.hasAttribute("tabindex")) {
      box.tabIndex = 0;
      box.dataset.wide = "";
      // A table and a heading stay what they are.
      if (box.matches("table, h1, h2, h3")) continue;
      if (!box.hasAttribute("role")) box.setAttribute("role", "group");
      if (!box.hasAttribute("aria-label")) box.setAttribute("aria-label", "Too wide: scrolls sideways");
    } else if (!wide && "wide" in box.dataset) {
      box.removeAttribute("tabindex");
      delete box.dataset.wide;
    }
  }
}

addEventListener("resize", () => reachable());
// The font of formulas may come later and be wider.
document.fonts?.ready.then(() => reachable());
reachable();
