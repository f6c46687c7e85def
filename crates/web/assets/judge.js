// The page on which one judges, made quick: what is pressed is sent at once, the next item is there before it
// is needed, and nothing that was pressed is lost. Without this script the same forms do the same, page by page.
import { Clock } from "./judge-clock.js";
import { Outbox, requestName, token } from "./judge-outbox.js";
import { Sheets, freshToken, sheet } from "./judge-sheet.js";
import { onKeys, showKeys } from "./judge-keys.js";
import { reachable } from "./wide.js";

const { assignment } = document.getElementById("judging").dataset;
const [saving, status, again] = ["saving", "status", "again"].map((id) => document.getElementById(id));
const sheets = new Sheets(assignment);
const clock = new Clock();
const outbox = new Outbox({ tell, renew });

/** What was said here, by part: what the server has may be older. */
const said = new Map();
/** Comments that belong to no grade yet. */
const drafts = new Map();
const pace = readPace(sheet());
/** On a phone the question can be folded, and stays so. */
let folded = null;
/** The part that keys act on. */
let at = null;
/** Waits for the last ones to be kept, to go to the page of the batch. */
let leaving = false;

const task = () => sheet().dataset.task;
const asks = () => sheet().dataset.asks;
const parts = () => [...sheet().querySelectorAll(".part")];
const form = (part) => part.querySelector("form");
const field = (part) => part.querySelector("textarea");
const nameOf = (part, verdict) => form(part).querySelector(`button[name=verdict][value="${verdict}"] b`)?.textContent ?? verdict;

/** Says something to screen readers. */
function say(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

/* What is saved, and what is not */

function show(state, text) {
  saving.dataset.state = state;
  status.textContent = text;
  again.hidden = state !== "waiting" && state !== "refused";
}

function tell({ state, letter, problem }) {
  const others = outbox.unsaved > 1 ? ` (${outbox.unsaved} not saved yet)` : "";
  if (state === "saving") show("saving", `${letter.doing}…${others}`);
  if (state === "retrying") show("saving", `${letter.doing} again…${others}`);
  if (state === "saved") {
    if (outbox.refused.length > 0) return show("refused", `Not saved: ${outbox.refused.length}.`);
    show("saved", letter.did);
    if (outbox.waiting === 0) say(`${letter.did}. ${place()}`);
    if (leaving && outbox.waiting === 0) location.assign(`/batch/${assignment}`);
  }
  if (state === "waiting" || state === "refused") {
    const trying = state === "waiting" ? " It is tried again." : "";
    const text = `Not saved: ${letter.label}, ${problem}.${trying}${others}`;
    show(state, text);
    if (letter.tries === 1 || state === "refused") say(text);
  }
}

async function renew() {
  try {
    const fresh = await freshToken();
    if (fresh) token(fresh);
    return Boolean(fresh);
  } catch {
    return false;
  }
}

const place = () => `Item ${sheet().dataset.place} of ${sheets.steps.length}`;

addEventListener("beforeunload", (event) => {
  flush();
  if (!leaving && (outbox.unsaved > 0 || drafts.size > 0)) event.preventDefault();
});

/* How far, and how fast */

function readPace({ dataset }) {
  return { judged: Number(dataset.judged), timed: Number(dataset.timed), seconds: Number(dataset.seconds) };
}

function showPace() {
  const { timed, seconds } = pace;
  const each = timed > 0 ? ` · ${duration(seconds / timed)} each` : "";
  sheet().querySelector("#far").textContent = `${sheets.done} of ${sheets.steps.length} in this batch${each}`;
  sheet().querySelector("#bar").value = sheets.done;
}

function duration(seconds) {
  return Math.round(seconds) < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

function count(part, seconds) {
  if (!isSaid(part)) {
    pace.judged += 1;
    pace.timed += 1;
  }
  pace.seconds += seconds;
}

/* Judging */

const isSaid = (part) => part.dataset.said !== "";
const needsComment = (verdict) => verdict === "failure" || verdict === "unknown";

/** Shows what counts now. */
function press(part, verdict) {
  part.dataset.said = verdict;
  delete part.dataset.waits;
  for (const button of part.querySelectorAll(".scale button")) {
    button.setAttribute("aria-pressed", String(button.value === verdict));
  }
}

/** How the field for a comment stands. */
function showNote(part) {
  const { said: verdict, waits } = part.dataset;
  const [text, save, need] = [field(part).value.trim(), part.querySelector(".keep button"), part.querySelector(".need")];
  const changed = text !== (field(part).dataset.kept ?? "");
  save.hidden = !(waits || (verdict && changed));
  save.disabled = Boolean(waits || needsComment(verdict)) && text === "";
  if (waits) need.textContent = `${nameOf(part, waits)} is saved when there is a comment: Enter saves it.`;
  else if (!verdict && text) need.textContent = "It is saved with the grade.";
  else need.textContent = changed ? "Enter saves it." : "";
  if (!verdict && !waits && text) drafts.set(part.dataset.part, field(part).value);
  else if (!waits) drafts.delete(part.dataset.part);
}

function openNote(part) {
  part.querySelector(".note").open = true;
  field(part).focus();
}

/** Says something of a part, with the comment that stands there. */
function judge(part, verdict, after = goOn) {
  const comment = field(part).value.trim();
  if (needsComment(verdict) && comment === "") {
    part.dataset.waits = verdict;
    showNote(part);
    openNote(part);
    say(part.querySelector(".need").textContent);
    return;
  }
  const [name, seconds] = [nameOf(part, verdict), clock.take()];
  count(part, seconds);
  press(part, verdict);
  field(part).dataset.kept = comment;
  drafts.delete(part.dataset.part);
  showNote(part);
  said.set(part.dataset.part, { verdict, comment });
  const fields = { assignment, task: task(), part: part.dataset.part, verdict, comment, seconds, request: requestName() };
  outbox.add({ path: "/judge", fields, of: part.dataset.part, label: name, doing: `Saving ${name}`, did: `Saved ${name}` });
  after(part);
}

/** The answers to the two questions of a part, as far as they are given. */
function flags(part) {
  const answer = (name) => form(part).elements[name].value;
  return { machine: answer("machine"), unrelated: answer("unrelated") };
}

function flag(part) {
  const { machine, unrelated } = flags(part);
  if (machine === "" || unrelated === "") {
    show("half", "One more question");
    return;
  }
  const seconds = clock.take();
  if (!isSaid(part)) pace.judged += 1;
  part.dataset.said = "flags";
  said.set(part.dataset.part, { machine, unrelated });
  const fields = { assignment, task: task(), part: part.dataset.part, machine, unrelated, seconds, request: requestName() };
  outbox.add({ path: "/flag", fields, of: part.dataset.part, label: "your answers", doing: "Saving", did: "Saved" });
  goOn();
}

/** A key for the first question that has no answer; for the first one, if all have. */
function answer(part, value) {
  const given = flags(part);
  const name = given.machine === "" ? "machine" : given.unrelated === "" ? "unrelated" : "machine";
  const radio = form(part).querySelector(`input[name=${name}][value=${value}]`);
  radio.checked = true;
  radio.focus({ preventScroll: true });
  flag(part);
}

/** On to what is not judged yet: on this page, then on the next one. */
function goOn() {
  const step = sheets.step(task());
  const left = parts().find((part) => !isSaid(part));
  step.done = left === undefined;
  showPace();
  if (left) return select(left);
  const next = sheets.next(task());
  if (next) return go(next);
  // The outbox tells when the last one is kept.
  leaving = true;
  if (outbox.waiting === 0) location.assign(`/batch/${assignment}`);
}

function undo() {
  leaving = false;
  const fields = { assignment, request: requestName() };
  outbox.add({
    path: "/undo", fields, label: "undo", doing: "Taking it back", did: "Taken back",
    async kept({ task: changed }) {
      // All that was sent before is kept by now, so the server knows better.
      for (const part of said.keys()) if (!outbox.has(part)) said.delete(part);
      if (changed === null) return say("There is nothing to take back");
      sheets.forget(String(changed));
      await go(String(changed));
      Object.assign(pace, readPace(sheet()));
      showPace();
    },
  });
}

function skip() {
  const here = task();
  const next = sheets.next(here);
  sheets.step(here).skips += 1;
  outbox.add({ path: "/skip", fields: { assignment, task: here }, label: "skipping", doing: "Skipping", did: "Skipped" });
  if (next) go(next);
  else say("This is the last one");
}

/** Comments that were changed are kept before the page goes. */
function flush() {
  if (asks() !== "grades") return;
  for (const part of parts()) {
    const changed = field(part).value.trim() !== (field(part).dataset.kept ?? "");
    if (changed && part.dataset.said && !part.dataset.waits && !(needsComment(part.dataset.said) && !field(part).value.trim())) {
      judge(part, part.dataset.said, () => {});
    }
  }
}

/* From item to item */

let going = 0;

/** Shows another item; `how` is what becomes of the history of the browser. */
async function go(next, how = "push") {
  flush();
  const mine = going += 1;
  let made = null;
  try {
    made = await sheets.get(next);
  } catch {
    if (mine !== going) return;
    show("waiting", "The item could not be loaded.");
    say("The item could not be loaded.");
    again.dataset.task = next;
    return;
  }
  // Somebody may have gone elsewhere in the meantime.
  if (mine !== going) return;
  delete again.dataset.task;
  sheet().replaceWith(made);
  if (how === "push" && location.pathname !== sheets.address(next)) history.pushState(null, "", sheets.address(next));
  document.title = `${sheet().dataset.title} · Hypatia`;
  arrive();
}

/** Makes a page that was put in place work. */
function arrive(how = "moved") {
  for (const part of parts()) {
    if (asks() === "flags") {
      const mine = said.get(part.dataset.part);
      for (const [name, value] of Object.entries(mine ?? {})) form(part).elements[name].value = value;
      const { machine, unrelated } = flags(part);
      if (machine && unrelated) part.dataset.said = "flags";
      continue;
    }
    field(part).dataset.kept = field(part).value.trim();
    const mine = said.get(part.dataset.part);
    if (mine) {
      press(part, mine.verdict);
      field(part).value = field(part).dataset.kept = mine.comment;
      part.querySelector(".note").open = mine.comment !== "";
    }
    const draft = drafts.get(part.dataset.part);
    if (draft !== undefined) {
      field(part).value = draft;
      part.querySelector(".note").open = true;
    }
    showNote(part);
  }
  const fold = sheet().querySelector(".fold");
  if (folded !== null) fold.open = !folded;
  fold.addEventListener("toggle", () => { folded = !fold.open; });
  sheets.step(task()).done = parts().every(isSaid);
  showPace();
  reachable(sheet());
  clock.take();
  const first = parts().find((part) => !isSaid(part)) ?? parts()[0];
  at = null;
  if (how === "loaded") {
    mark(first);
  } else {
    scrollTo(0, 0);
    // Where question and answer stand one below the other, the question is known by now.
    select(first, parts().indexOf(first) > 0 || matchMedia("(max-width: 60rem)").matches);
  }
  sheets.prepare(sheets.next(task()));
}

function mark(part) {
  at?.classList.remove("at");
  at = part;
  at.classList.add("at");
}

/** The part that keys act on, in sight and with the focus. */
function select(part, scroll = true) {
  mark(part);
  part.focus({ preventScroll: true });
  if (!scroll) return;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  const pane = part.closest(".pane");
  // Side by side, only the half that it stands in moves.
  if (getComputedStyle(pane).overflowY === "auto") {
    const top = pane.scrollTop + part.getBoundingClientRect().top - pane.getBoundingClientRect().top;
    pane.scrollTo({ top, behavior });
  } else {
    part.scrollIntoView({ block: "start", behavior });
  }
}

function beside(step) {
  const all = parts();
  const next = all[all.indexOf(at) + step];
  if (next) select(next);
}

/* What people do */

document.addEventListener("submit", (event) => {
  const { target, submitter } = event;
  if (!target.closest("#judging")) return;
  event.preventDefault();
  const part = target.closest(".part");
  if (target.id === "undo") return undo();
  if (target.matches(".skip-item")) return skip();
  if (target.matches(".grades")) {
    mark(part);
    return judge(part, submitter.closest(".keep") ? part.dataset.waits || part.dataset.said : submitter.value);
  }
  flag(part);
});

document.addEventListener("change", (event) => {
  const part = event.target.closest(".part");
  if (part && event.target.matches("input[type=radio]")) flag(part);
});

document.addEventListener("input", (event) => {
  if (event.target.matches(".note textarea")) showNote(event.target.closest(".part"));
});

document.addEventListener("keydown", (event) => {
  if (!event.target.matches(".note textarea") || event.isComposing) return;
  const part = event.target.closest(".part");
  if (event.key === "Escape") {
    event.preventDefault();
    delete part.dataset.waits;
    showNote(part);
    select(part, false);
  }
  if (event.key !== "Enter" || event.shiftKey) return;
  event.preventDefault();
  const verdict = part.dataset.waits || part.dataset.said;
  if (!verdict) return select(part, false);
  if (!needsComment(verdict) || event.target.value.trim()) judge(part, verdict);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("#sheet nav a[rel]");
  if (link && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
    event.preventDefault();
    go(link.pathname.split("/").at(-1));
  }
});

document.addEventListener("focusin", (event) => {
  const part = event.target.closest?.(".part");
  if (part && part !== at) mark(part);
});

// What was said before is looked up when it is asked for.
document.addEventListener("toggle", async (event) => {
  const past = event.target;
  if (!past.matches?.("details.past") || !past.open || past.dataset.loaded) return;
  past.dataset.loaded = "yes";
  try {
    const response = await fetch(`/history/${past.dataset.part}`, { headers: { accept: "text/html" } });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const list = page.getElementById("history");
    list.removeAttribute("id");
    past.querySelector(".told").replaceChildren(document.adoptNode(list));
  } catch {
    // The link to it is still there.
    delete past.dataset.loaded;
  }
}, true);

again.addEventListener("click", () => {
  if (again.dataset.task) go(again.dataset.task);
  outbox.again();
});
addEventListener("popstate", () => {
  const [, kind, , wanted] = location.pathname.split("/");
  if (kind === "task" && sheets.step(wanted)) go(wanted, "none");
});

const keys = document.getElementById("keys");
keys.hidden = false;
keys.addEventListener("click", () => showKeys(asks()));

onKeys((key) => {
  const several = parts().length > 1;
  const flagged = asks() === "flags";
  const grade = at?.querySelector(`.scale button[aria-keyshortcuts="${CSS.escape(key)}"]`);
  if (grade) return judge(at, grade.value);
  if (flagged && ["y", "n", "o"].includes(key)) return answer(at, { y: "yes", n: "no", o: "open" }[key]);
  const { previous, following } = sheet().dataset;
  const to = (where) => { if (where) go(where); };
  const acts = {
    c: () => flagged || openNote(at),
    u: undo,
    s: skip,
    n: () => to(following),
    ArrowRight: () => to(following),
    p: () => to(previous),
    ArrowLeft: () => to(previous),
    j: () => beside(1),
    k: () => beside(-1),
    ArrowDown: () => several ? beside(1) : false,
    ArrowUp: () => several ? beside(-1) : false,
    t: () => at?.querySelector(".to-thread")?.click(),
    "?": () => showKeys(asks()),
  };
  return Object.hasOwn(acts, key) ? acts[key]() : false;
});

document.documentElement.classList.add("quick");
arrive("loaded");
