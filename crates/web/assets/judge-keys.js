// Keys for those who judge. None acts while something is typed, or with a modifier, and they can be turned off:
// who speaks to the computer would set them off by words.

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

/** The grades differ from lab to lab. */
const grades = () => [...document.querySelectorAll(".part:first-of-type .grade")].map((button) => button.value).join(" ");
const GRADES = [["f d", "system failure, do not know"], ["c", "comment: Enter saves it, Esc leaves it"]];
const FLAGS = [["y n o", "yes, no, leave open"]];
const ALL = [
  ["u", "undo"], ["s", "skip"], ["→ ←", "next, previous item"], ["j k", "next, previous post of a formula"],
  ["t", "thread, in a new tab"], ["?", "these keys"],
];

function dialog(asks) {
  const known = document.getElementById("keys-dialog");
  if (known) return known;
  const made = document.createElement("dialog");
  made.id = "keys-dialog";
  made.setAttribute("aria-labelledby", "keys-title");
  const rows = [...(asks === "flags" ? FLAGS : [[grades(), "the grade with this number"], ...GRADES]), ...ALL].map(([names, what]) => {
    const keys = names.split(" ").map((name) => `<kbd>${name}</kbd>`).join(" ");
    return `<div><dt>${keys}</dt><dd>${what}</dd></div>`;
  });
  made.innerHTML = `<h2 id="keys-title">Keys</h2><dl>${rows.join("")}</dl><form method="dialog"><label><input type="checkbox"> Turn all but <kbd>?</kbd> off</label><button class="button">Close</button></form>`;
  const box = made.querySelector("input");
  box.checked = stored();
  box.addEventListener("change", () => stored(box.checked));
  document.body.append(made);
  return made;
}

/** Shows what the keys do. */
export function showKeys(asks) { dialog(asks).showModal(); }

/** Calls `act` with the name of a key; what it answers with false is left to the browser. */
export function onKeys(act) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
    const typing = event.target.closest("textarea, select, [contenteditable], input:not([type=radio])");
    if (typing || (event.key !== "?" && stored())) return;
    // A radio button has arrows of its own, and so has what scrolls sideways.
    const arrow = event.key.startsWith("Arrow");
    if (arrow && event.target.closest("input[type=radio]")) return;
    const wide = event.target.closest(".scroll, .text, .block");
    if (arrow && wide && wide.scrollWidth > wide.clientWidth && !event.key.endsWith("Up") && !event.key.endsWith("Down")) return;
    // Held down, it would judge what nobody has seen.
    if (event.repeat && !arrow) { event.preventDefault(); return; }
    if (act(event.key) !== false) event.preventDefault();
  });
}
