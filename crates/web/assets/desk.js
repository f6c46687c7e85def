// What the desk gains from a script: figures that renew themselves, links that are copied, keys that decide.
// Without it all of that is done by loading the page again, by hand and by buttons.

import "./wide.js";

/** Says something to screen readers. */
function say(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

/** Renews a part of the page while it is looked at, and leaves alone what somebody is doing in it. */
function renew(part) {
  const every = Number(part.dataset.every) * 1000;
  let timer = 0;
  let under_way = null;
  let headline = part.querySelector("#state")?.textContent;

  function later(wait = every) {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(load, wait);
  }

  async function load() {
    const begun = performance.now();
    under_way?.abort();
    under_way = new AbortController();
    const limit = setTimeout(() => under_way.abort(), every * 3);
    try {
      const answer = await fetch(part.dataset.refresh, { signal: under_way.signal, headers: { accept: "text/html" } });
      // Who is signed out is led to where one signs in: a page, and no part of one.
      if (answer.redirected || answer.status === 401 || answer.status === 404) return stale("You are signed out. Load the page again.");
      if (!answer.ok) throw new Error(answer.status);
      put(await answer.text());
    } catch {
      if (!document.hidden) stale("The server does not answer; these figures are old.");
    } finally {
      clearTimeout(limit);
      // A large lab takes a while to count: it shall spend a tenth of its time on that at most.
      later(Math.max(every, 9 * (performance.now() - begun)));
    }
  }

  function put(html) {
    const opened = new Map([...part.querySelectorAll("details[id]")].map((one) => [one.id, one.open]));
    const moved = new Map([...part.querySelectorAll("[aria-labelledby].wide, [aria-label].wide")]
      .map((one, place) => [place, one.scrollLeft]));
    const focused = part.contains(document.activeElement) ? place_of(document.activeElement) : null;
    // It is our own page, made of the same template and escaped there.
    const fresh = new DOMParser().parseFromString(html, "text/html");
    part.replaceChildren(...fresh.body.childNodes);
    for (const one of part.querySelectorAll("details[id]")) if (opened.has(one.id)) one.open = opened.get(one.id);
    [...part.querySelectorAll("[aria-labelledby].wide, [aria-label].wide")]
      .forEach((one, place) => { one.scrollLeft = moved.get(place) ?? 0; });
    if (focused !== null) focusable()[focused]?.focus({ preventScroll: true });
    const now = part.querySelector("#state")?.textContent;
    if (now && now !== headline) say(now);
    headline = now;
  }

  function focusable() {
    return [...part.querySelectorAll("a, summary, button, [tabindex]")];
  }

  function place_of(element) {
    const place = focusable().indexOf(element);
    return place < 0 ? null : place;
  }

  function stale(text) {
    const at = part.querySelector(".at");
    if (at && at.textContent !== text) { at.textContent = text; say(text); }
  }

  document.addEventListener("visibilitychange", () => { if (document.hidden) { clearTimeout(timer); } else { load(); } });
  later();
}

/** Copies what a button names, and says so on the button itself. */
function copying() {
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      const was = button.textContent;
      source.select();
      try {
        await navigator.clipboard.writeText(source.value);
        button.textContent = "Copied";
        say("Copied");
      } catch {
        button.textContent = "Press Ctrl+C";
      }
      setTimeout(() => { button.textContent = was; }, 1500);
    });
  }
}

/** Ticks all of a list, or none. */
function ticking() {
  for (const all of document.querySelectorAll("input[data-every][type=checkbox]")) {
    const boxes = () => [...all.form.querySelectorAll(`input[name="${all.dataset.every}"]`)];
    all.hidden = false;
    all.addEventListener("change", () => { for (const box of boxes()) box.checked = all.checked; });
    all.form.addEventListener("change", (event) => {
      if (event.target === all) return;
      all.checked = boxes().every((box) => box.checked);
      all.indeterminate = !all.checked && boxes().some((box) => box.checked);
    });
  }
}

/** The keys of judging: grades, comment, thread, next. None acts while somebody is writing. */
function deciding() {
  if (!document.querySelector(".deciding-scale")) return;
  const comment = document.getElementById("comment");
  // What has no grade needs a reason: it is asked for first, and Enter sends both.
  let waiting = null;
  comment?.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { waiting = null; comment.blur(); }
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing && waiting && comment.value.trim()) {
      event.preventDefault();
      waiting.click();
    }
  });
  comment?.addEventListener("blur", () => { waiting = null; });
  for (const other of document.querySelectorAll(".deciding-scale button.other")) {
    other.addEventListener("click", (event) => {
      if (!comment || comment.value.trim()) return;
      event.preventDefault();
      waiting = other;
      comment.placeholder = "Why? Enter saves it.";
      comment.focus();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest("input, textarea, select")) return;
    if (event.key === "c") { event.preventDefault(); comment?.focus(); return; }
    const target = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === event.key);
    if (target) { event.preventDefault(); target.click(); }
  });
}

/** A form that is sent twice by two clicks would do it twice. */
function once() {
  for (const form of document.querySelectorAll("form[method=post]")) {
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = "yes";
    });
  }
  // Who comes back by the browser's button may send it again.
  addEventListener("pageshow", () => { for (const form of document.forms) delete form.dataset.sent; });
}

const now = document.querySelector("[data-refresh]");
if (now) renew(now);
copying();
ticking();
deciding();
once();
