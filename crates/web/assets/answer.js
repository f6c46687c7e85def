// Answers: the box above results is filled when the page is there already, and a language model that writes
// can be stopped. Without scripts a link and a form lead to the same on a page of its own.

import { reachable } from "./wide.js";

/** The content of a part of a page; if the server did not give it, what it said instead. */
async function part(address, options) {
  const answer = await fetch(address, options);
  const made = document.createElement("template");
  made.innerHTML = await answer.text();
  if (answer.ok) return { content: made.content };
  return { told: made.content.querySelector(".fail .told")?.textContent };
}

/** Fills the box. It has its greatest height before, so that nothing moves down; what does not fit opens on demand. */
async function fill(box, say) {
  const [body, more] = [box.querySelector(".reply-body"), box.querySelector(".reply-foot button[aria-controls]")];
  body.setAttribute("aria-busy", "true");
  try {
    const { content } = await part(box.dataset.answer);
    if (!content) return;
    const found = content.querySelector(".said") !== null;
    body.replaceChildren(content);
    reachable(body);
    say(found ? "An answer stands before the results" : "No close answer was found");
  } catch {
    // No connection: the link stays.
    return;
  } finally {
    body.removeAttribute("aria-busy");
    box.classList.add("filled");
  }
  if (body.scrollHeight <= body.clientHeight + 4) return;
  const open = (all) => {
    box.classList.toggle("whole", all);
    more.setAttribute("aria-expanded", String(all));
    more.textContent = all ? "Show less" : "Show all of it";
    if (!all) body.scrollTop = 0;
  };
  box.classList.add("cut-off");
  more.hidden = false;
  more.addEventListener("click", () => open(!box.classList.contains("whole")));
  // Who comes to a link that is cut off shall see it.
  body.addEventListener("focusin", (event) => {
    const [inner, outer] = [event.target.getBoundingClientRect(), body.getBoundingClientRect()];
    if (inner.bottom > outer.bottom || body.scrollTop > 0) open(true);
  });
}

/** Lets the model write in place, until it is done or told to stop. */
async function write(form, say) {
  const [button, status] = [form.querySelector("button"), form.querySelector("[role=status]")];
  if (form.running) return form.running.abort();
  const [was, before] = [button.textContent, status.textContent];
  const running = form.running = new AbortController();
  button.textContent = "Stop";
  status.textContent = "The model is writing…";
  let end = before;
  try {
    const body = new URLSearchParams(new FormData(form));
    body.set("part", "yes");
    const { content, told } = await part(form.action, { method: "POST", body, signal: running.signal });
    if (content) {
      const place = document.createElement("section");
      place.className = "by-model";
      place.setAttribute("aria-label", "Answer written by a language model");
      place.tabIndex = -1;
      const written = content.querySelector(".said") !== null;
      place.append(content);
      // Who pressed the button is led to what came of it, since the button goes.
      const here = form.contains(document.activeElement);
      form.closest(".reply").append(place);
      form.remove();
      if (here) place.focus({ preventScroll: true });
      say(written ? "The model has written an answer" : "No answer was found");
      return;
    }
    end = told ?? "The model gave no answer. Try again in a moment.";
  } catch {
    end = running.signal.aborted ? "Stopped." : "There is no connection.";
  }
  form.running = null;
  button.textContent = was;
  status.textContent = end;
}

export function answers(say) {
  for (const box of document.querySelectorAll("[data-answer]")) fill(box, say);
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form[data-write]")) return;
    event.preventDefault();
    write(event.target, say);
  });
}
