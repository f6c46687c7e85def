// The slots of templates: after \frac{}{} was put into a field, Tab goes from one pair of braces to the next and
// then behind the formula, Shift-Tab goes back. Everywhere else Tab does what it always does.

/** The templates under way in each field, and the text that their places are true of. */
const fields = new WeakMap();

/** How an edit moves a place: what stands behind it shifts, what stands in the part that went is gone. */
function edited(text, old) {
  let start = 0;
  const most = Math.min(text.length, old.length);
  while (start < most && text[start] === old[start]) start++;
  let end = 0;
  while (end < most - start && text[text.length - 1 - end] === old[old.length - 1 - end]) end++;
  return { start, removed: old.length - end, by: text.length - old.length };
}

/** A slot after an edit; what is typed at its edges belongs to it. None if its braces went. */
function movedSlot({ from, to }, { start, removed, by }) {
  if (start >= from && removed <= to) return { from, to: to + by };
  if (start > to) return { from, to };
  if (removed < from) return { from: from + by, to: to + by };
  return null;
}

/** The text of the field is another one: templates move along, and those that were edited away are forgotten. */
function follow(field) {
  const known = fields.get(field);
  if (!known || known.text === field.value) return known;
  // One letter among equal ones has several places: the caret tells which it was.
  const edit = edited(field.value, known.text);
  const caret = field.selectionEnd - Math.max(edit.by, 0);
  if (edit.by > 0 && caret >= 0 && caret < edit.start
    && field.value.slice(field.selectionEnd) === known.text.slice(caret)) {
    edit.start = caret;
    edit.removed = caret;
  }
  const templates = [];
  for (const template of known.templates) {
    const slots = template.slots.map((slot) => movedSlot(slot, edit)).filter(Boolean);
    const whole = movedSlot({ from: template.from + 1, to: template.to - 1 }, edit);
    if (slots.length > 0 && whole) templates.push({ from: whole.from - 1, to: whole.to + 1, slots });
  }
  const next = { text: field.value, templates };
  fields.set(field, next);
  return next;
}

/** Remembers a template that was just put into a field; it reaches from one place to another. */
export function remember(field, template) {
  const known = follow(field);
  const templates = (known?.templates ?? []).filter(({ from, to }) => from < template.from && template.to < to);
  fields.set(field, { text: field.value, templates: [...templates, template] });
}

/** Before a field is changed by a script, so that its templates move along. */
export function settle(field) {
  follow(field);
}

/** Where Tab leads from the selection: {from, to}, or nothing. */
function next(field, back) {
  const known = follow(field);
  const [from, to] = [field.selectionStart, field.selectionEnd];
  // The innermost template around the caret, then those around it.
  const around = (known?.templates ?? []).filter((template) => template.from < from && to <= template.to).reverse();
  for (const { slots, to: end } of around) {
    const here = slots.findIndex((slot) => slot.from <= from && to <= slot.to);
    if (here >= 0) {
      if (back) {
        if (here > 0) return slots[here - 1];
        continue;
      }
      return slots[here + 1] ?? { from: end, to: end };
    }
    const [before, after] = [slots.filter((slot) => slot.to < from), slots.filter((slot) => slot.from > to)];
    if (back && before.length > 0) return before.at(-1);
    if (!back && after.length > 0) return after[0];
    if (!back && to < end) return { from: end, to: end };
  }
  return null;
}

export function slots() {
  document.addEventListener("input", (event) => follow(event.target));
  document.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.key !== "Tab" || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.defaultPrevented || !fields.has(field)) return;
    const place = next(field, event.shiftKey);
    if (!place) {
      // Who leaves is done: the field is like any other from now on.
      fields.delete(field);
      return;
    }
    event.preventDefault();
    field.setSelectionRange(place.from, place.to);
  });
}
