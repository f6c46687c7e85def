// What is too wide scrolls by itself; by keys it can only be scrolled when it can have the focus.

/** Makes all that scrolls sideways below an element reachable by keys, and nothing else. */
export function reachable(root = document) {
  for (const box of root.querySelectorAll(".text, .text .block, .scroll")) {
    const wide = box.scrollWidth > box.clientWidth + 1;
    if (wide && !box.hasAttribute("tabindex")) {
      box.tabIndex = 0;
      box.dataset.wide = "";
      if (!box.hasAttribute("role")) box.setAttribute("role", "group");
      if (!box.hasAttribute("aria-label")) box.setAttribute("aria-label", "Too wide: scrolls sideways");
    } else if (!wide && "wide" in box.dataset) {
      box.removeAttribute("tabindex");
      delete box.dataset.wide;
    }
  }
}

addEventListener("resize", () => reachable());
reachable();
