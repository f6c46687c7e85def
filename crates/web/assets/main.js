// What pages gain from a script: a live preview, symbols to choose from, completion, keys, answers, LaTeX to copy. Each part
// looks for its elements itself, so that one file serves all pages; without any of it, search still works.
import { livePreview } from "./preview.js";
import { palette } from "./palette.js";
import { completion } from "./complete.js";
import { slots } from "./slots.js";
import { keys } from "./keys.js";
import { answers } from "./answer.js";
import { copy, copyFormulas } from "./copy.js";
import "./wide.js";

/** Says something to screen readers. */
export function say(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

/** Copies what a button names, and says so on the button itself. */
function copying() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-copy]");
    const source = button && document.getElementById(button.dataset.copy);
    if (!source) return;
    const was = button.textContent;
    const done = await copy(source.value ?? source.textContent);
    button.textContent = done ? "Copied" : "Not allowed here";
    if (done) say("Copied");
    setTimeout(() => { button.textContent = was; }, 1500);
  });
  for (const button of document.querySelectorAll("button[data-copy]")) button.hidden = false;
}

livePreview();
palette();
completion();
slots();
keys(say, copyFormulas(say));
answers(say);
copying();
