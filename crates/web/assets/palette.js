// Symbols and structures to choose from. They are drawn by the server and loaded when first needed.
import { remember, settle } from "./slots.js";

let loading = null;

/** The entries: groups of {name, insert, words, math}; none if they do not come, and then they are asked for again. */
export function symbols() {
  loading ??= fetch(new URL("palette.json", import.meta.url))
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
    .catch(() => {
      loading = null;
      return [];
    });
  return loading;
}

/** Whether a place in a text lies between dollars. */
function inFormula(text, at) {
  let inside = false;
  for (let i = 0; i < at; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === "$") inside = !inside;
  }
  return inside;
}

/** LaTeX as it is inserted, without the marks of slots. */
export const plain = (latex) => latex.replaceAll("@", "");

/** Where the slots of a template are in its plain text: each `@`, and between empty braces. */
function slotsOf(template) {
  const slots = [];
  let length = 0;
  for (let at = 0; at < template.length; at++) {
    if (template[at] === "@" || (template[at] === "}" && template[at - 1] === "{")) slots.push(length);
    if (template[at] !== "@") length++;
  }
  return slots;
}

/**
 * Puts LaTeX into a field in place of what is selected; the cursor goes to the first slot, and Tab to the next.
 * A field of words gets dollars around it, unless the cursor is in a formula already.
 */
export function insert(field, latex, from = field.selectionStart, to = field.selectionEnd) {
  let text = latex;
  if (field.dataset.dollars !== "off" && field.id !== "f" && !inFormula(field.value, from)) text = `$${latex}$`;
  const before = field.value.slice(0, from);
  const after = field.value.slice(to);
  // A command ends where letters end, so a letter after it needs a blank.
  if (/\\[a-zA-Z]+$/.test(text) && /^[a-zA-Z]/.test(after)) text += " ";
  if (/\\[a-zA-Z]+$/.test(before) && /^[a-zA-Z?]/.test(text)) text = ` ${text}`;
  const [written, slots] = [plain(text), slotsOf(text)];
  const behind = written.length - (written.endsWith("$") && !latex.endsWith("$") ? 1 : 0);
  const caret = from + (slots[0] ?? behind);
  field.focus();
  settle(field);
  field.setRangeText(written, from, to, "end");
  field.setSelectionRange(caret, caret);
  if (slots.length > 0) {
    const places = slots.map((slot) => ({ from: from + slot, to: from + slot }));
    remember(field, { from, to: from + written.length, slots: places });
  }
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function button(entry, choose) {
  const item = document.createElement("li");
  const made = document.createElement("button");
  made.type = "button";
  made.title = `${entry.name}   ${plain(entry.insert)}`;
  made.tabIndex = -1;
  // Drawn by the server from a file of its own.
  made.innerHTML = entry.math;
  // Who sees letters on a button says them to choose it, so its name holds them.
  const seen = made.textContent.trim();
  made.setAttribute("aria-label", /[\p{L}\p{N}]/u.test(seen) ? `${entry.name}, ${seen}` : entry.name);
  made.addEventListener("click", () => choose(entry));
  if (entry.tall) made.className = "tall";
  item.dataset.words = `${entry.name} ${entry.words} ${entry.insert}`.toLowerCase();
  item.append(made);
  return item;
}

/** Arrow keys move among the buttons that are shown; only one of them can be tabbed to. */
function roving(panel) {
  const shown = () => [...panel.querySelectorAll("li:not([hidden]) > button")].filter((b) => !b.closest("section").hidden);
  const go = (target) => {
    for (const one of panel.querySelectorAll("li > button")) one.tabIndex = one === target ? 0 : -1;
    target?.focus();
  };
  panel.addEventListener("keydown", (event) => {
    const all = shown();
    const at = all.indexOf(document.activeElement);
    if (at < 0) return;
    // Down and up: the nearest button in the next row that has one.
    const row = (step) => {
      const here = all[at].getBoundingClientRect();
      const rest = step > 0 ? all.slice(at + 1) : all.slice(0, at).reverse();
      const next = rest.find((b) => step * (b.getBoundingClientRect().top - here.top) > 4);
      if (!next) return null;
      const top = next.getBoundingClientRect().top;
      const same = rest.filter((b) => Math.abs(b.getBoundingClientRect().top - top) < 4);
      const off = (b) => Math.abs(b.getBoundingClientRect().left - here.left);
      return same.reduce((best, b) => (off(b) < off(best) ? b : best));
    };
    const moves = {
      ArrowRight: () => all[at + 1], ArrowLeft: () => all[at - 1], ArrowDown: () => row(1), ArrowUp: () => row(-1),
      Home: () => all[0], End: () => all.at(-1),
    };
    const target = moves[event.key]?.();
    if (event.key in moves) event.preventDefault();
    if (target) go(target);
  });
  return () => {
    const all = shown();
    for (const one of panel.querySelectorAll("li > button")) one.tabIndex = one === all[0] ? 0 : -1;
    return all;
  };
}

/** Puts the symbols into the panel. */
async function fill(panel, choose) {
  const groups = await symbols();
  if (groups.length === 0 || panel.hasChildNodes()) return;
  const seek = document.createElement("div");
  seek.className = "seek";
  seek.innerHTML = '<label class="unseen" for="seek">Find a symbol</label><input id="seek" type="text" placeholder="Find a symbol: for all, arrow, matrix…" autocomplete="off" autocapitalize="none" spellcheck="false"><span role="status"></span>';
  panel.append(seek);
  for (const group of groups) {
    const section = document.createElement("section");
    const title = document.createElement("h3");
    title.textContent = group.group;
    const list = document.createElement("ul");
    list.setAttribute("aria-label", group.group);
    list.append(...group.entries.map((entry) => button(entry, choose)));
    section.append(title, list);
    panel.append(section);
  }
  const refresh = roving(panel);
  refresh();
  const input = seek.querySelector("input");
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of panel.querySelectorAll("li")) {
      item.hidden = !words.every((word) => item.dataset.words.includes(word));
    }
    for (const section of panel.querySelectorAll("section")) {
      section.hidden = !section.querySelector("li:not([hidden])");
    }
    const all = refresh();
    const found = all.length === 0 ? "none found" : `${all.length} found`;
    seek.querySelector("span").textContent = words.length === 0 ? "" : found;
  });
  input.addEventListener("keydown", (event) => {
    const all = refresh();
    if (event.key === "Enter") {
      event.preventDefault();
      if (input.value.trim() !== "") all[0]?.click();
    } else if (event.key === "ArrowDown" && all[0]) {
      event.preventDefault();
      all[0].focus();
    }
  });
}

export function palette() {
  const panel = document.getElementById("palette");
  const toggle = document.querySelector("button.symbols");
  if (!panel || !toggle) return;
  // Symbols go where the cursor was last; in the beginning that is the formula row.
  let last = document.getElementById("f") ?? document.getElementById("body");
  document.addEventListener("focusin", (event) => {
    if (event.target.matches("#q, #f, #title, #body")) last = event.target;
  });
  const show = (open) => {
    // The room is taken at once, so that nothing moves when the symbols come.
    panel.hidden = !open;
    toggle.setAttribute("aria-expanded", open);
    if (open && !panel.hasChildNodes()) fill(panel, (entry) => insert(last, entry.insert));
  };
  toggle.hidden = false;
  toggle.addEventListener("click", () => show(panel.hidden));
  // Who opens the row wants symbols; a page that opens with a formula in the row is there to be read.
  const row = panel.closest("details");
  let first = row?.open ?? false;
  row?.addEventListener("toggle", () => {
    if (row.open && !first) show(true);
    first = false;
  });
}
