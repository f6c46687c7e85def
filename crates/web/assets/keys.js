// Keys for those who like them. None acts while something is typed, or with a modifier, and they can be turned
// off: who speaks to the computer would set them off by words.

const OFF = "keys-off";

/** What the browser keeps may be closed to pages. */
function stored(value) {
  try {
    if (value === undefined) return localStorage.getItem(OFF) !== null;
    if (value) localStorage.setItem(OFF, "1");
    else localStorage.removeItem(OFF);
  } catch {
    // Then it lasts as long as the page.
  }
  return value ?? false;
}

const HELP = [
  ["/", "to the box"], ["j k", "next, previous result"], ["o", "open it"], ["e", "why it matched"],
  ["t p f", "threads, posts, formulas"], ["[ ]", "previous, next page"],
  ["m M", "next, previous formula"], ["c", "copy its LaTeX"], ["?", "these keys"], ["Esc", "leave a field or this list"],
];

function dialog() {
  const known = document.getElementById("keys-dialog");
  if (known) return known;
  const made = document.createElement("dialog");
  made.id = "keys-dialog";
  made.setAttribute("aria-labelledby", "keys-title");
  const rows = HELP.map(([names, what]) =>
    `<div><dt>${names.split(" ").map((name) => `<kbd>${name}</kbd>`).join(" ")}</dt><dd>${what}</dd></div>`);
  made.innerHTML = `<h2 id="keys-title">Keys</h2><dl>${rows.join("")}</dl><form method="dialog"><label><input type="checkbox"> Turn all but <kbd>?</kbd> off</label><button class="button">Close</button></form>`;
  const box = made.querySelector("input");
  box.checked = stored();
  box.addEventListener("change", () => stored(box.checked));
  document.body.append(made);
  return made;
}

export function keys(say, formulas) {
  const results = [...document.querySelectorAll(".results > li")];
  let at = -1;
  const go = (step) => {
    if (results.length === 0) return;
    results[at]?.classList.remove("at");
    at = Math.min(Math.max(at + step, 0), results.length - 1);
    results[at].classList.add("at");
    results[at].querySelector("a.open")?.focus({ preventScroll: true });
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    results[at].scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
  };
  const follow = (selector) => document.querySelector(selector)?.click();
  const acts = {
    "/": () => { const box = document.getElementById("q"); box?.focus(); box?.select(); },
    j: () => go(1),
    k: () => go(-1),
    o: () => results[at]?.querySelector("a.open")?.click(),
    e: () => {
      const why = (results[at] ?? results[0])?.querySelector("details.why");
      if (!why) return;
      why.open = !why.open;
      say(why.open ? "Reasons are shown" : "Reasons are hidden");
    },
    t: () => follow(".tabs [data-key=t]"),
    p: () => follow(".tabs [data-key=p]"),
    f: () => follow(".tabs [data-key=f]"),
    "[": () => follow(".pages [rel=prev]"),
    "]": () => follow(".pages [rel=next]"),
    m: formulas.next,
    M: formulas.previous,
    c: formulas.take,
    "?": () => dialog().showModal(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key === "Escape" && typing) {
      // A search field would be emptied otherwise.
      event.preventDefault();
      typing.blur();
      return;
    }
    const act = typing ? null : acts[event.key];
    if (!act || (event.key !== "?" && stored())) return;
    event.preventDefault();
    act();
  });
  // Reached with Tab or the mouse, a result is the one that keys act on.
  results.forEach((result, place) => result.addEventListener("focusin", () => {
    results[at]?.classList.remove("at");
    at = place;
    result.classList.add("at");
  }));
}
