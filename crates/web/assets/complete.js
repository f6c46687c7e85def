// Completes LaTeX commands while they are typed: a backslash and the beginning of a name, or a word that
// people use for the thing ("\forall", "\lim", but also "\infinity").
import { insert, plain, symbols } from "./palette.js";

const MOST = 8;

/** What fits a beginning, best first: by command, then by name and other words. */
function fitting(groups, typed) {
  const wanted = typed.toLowerCase();
  const found = [];
  for (const { entries } of groups) {
    for (const entry of entries) {
      const command = /^\\([a-zA-Z]+)/.exec(entry.insert)?.[1] ?? "";
      const words = `${entry.name} ${entry.words}`.toLowerCase().split(/[\s,]+/);
      let rank = 9;
      if (command === typed) rank = 0;
      else if (command.startsWith(typed)) rank = 1;
      else if (command.toLowerCase().startsWith(wanted)) rank = 2;
      else if (words.some((word) => word.startsWith(wanted))) rank = 3;
      if (rank < 9 && command) found.push({ entry, rank, length: command.length });
    }
  }
  found.sort((a, b) => a.rank - b.rank || a.length - b.length || a.entry.insert.length - b.entry.insert.length);
  return found.slice(0, MOST).map(({ entry }) => entry);
}

function attach(field) {
  const list = document.createElement("ul");
  list.className = "complete";
  list.id = `complete-${field.id}`;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Commands");
  list.hidden = true;
  field.parentElement.append(list);
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", list.id);
  let [from, chosen, entries] = [0, 0, []];

  const close = () => {
    list.hidden = true;
    field.removeAttribute("aria-activedescendant");
  };
  const mark = (place) => {
    chosen = (place + entries.length) % entries.length;
    [...list.children].forEach((item, at) => item.setAttribute("aria-selected", at === chosen));
    field.setAttribute("aria-activedescendant", list.children[chosen].id);
    list.children[chosen].scrollIntoView({ block: "nearest" });
  };
  const take = (place) => {
    const entry = entries[place];
    close();
    insert(field, entry.insert, from, field.selectionStart);
    close();
  };
  const open = async () => {
    const at = field.selectionStart;
    const typed = /\\([a-zA-Z]+)$/.exec(field.value.slice(0, at));
    if (!typed || at !== field.selectionEnd) return close();
    from = typed.index;
    const groups = await symbols();
    // Something else may have been typed while the symbols came.
    if (field.selectionStart !== at || document.activeElement !== field) return;
    entries = fitting(groups, typed[1]);
    if (entries.length === 0 || (entries.length === 1 && entries[0].insert === typed[0])) return close();
    list.replaceChildren(...entries.map((entry, place) => {
      const item = document.createElement("li");
      item.id = `${list.id}-${place}`;
      item.setAttribute("role", "option");
      item.innerHTML = `<span class="drawing">${entry.math}</span><code></code><span class="what"></span>`;
      item.querySelector("code").textContent = plain(entry.insert);
      item.querySelector(".what").textContent = entry.name;
      // Before the field loses the focus.
      item.addEventListener("mousedown", (event) => { event.preventDefault(); take(place); });
      return item;
    }));
    list.hidden = false;
    mark(0);
  };
  field.addEventListener("input", (event) => { if (event.isTrusted) open(); });
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    const act = {
      ArrowDown: () => mark(chosen + 1), ArrowUp: () => mark(chosen - 1), Tab: () => take(chosen),
      Enter: () => take(chosen), Escape: close,
    }[event.key];
    if (!act || event.isComposing) return;
    // Enter would search and Escape would empty the box.
    event.preventDefault();
    event.stopPropagation();
    act();
  });
}

export function completion() {
  for (const field of document.querySelectorAll("#q, #f, #title, #body")) attach(field);
}
