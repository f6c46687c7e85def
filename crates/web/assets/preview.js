// Draws what is being typed. The server does the drawing, with the same code as for results, so what is
// seen is what will be searched for.

/** Calls `work` when nothing has been typed for a moment. */
function calmly(work, milliseconds) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}

/**
 * Keeps a region up to date with some fields. Only the newest answer counts: older requests are given up,
 * since an answer that comes late would show what is no longer typed.
 */
function follow(region, address, fields) {
  // Hints that promise a drawing are shown only where one is made.
  region.classList.add("live");
  let running = null;
  let shown = null;
  const draw = async () => {
    const query = new URLSearchParams();
    for (const field of fields) query.set(field.name, field.value);
    const wanted = query.toString();
    if (wanted === shown) return;
    running?.abort();
    running = new AbortController();
    try {
      const answer = await fetch(`${address}?${wanted}`, { signal: running.signal });
      if (!answer.ok) return;
      const part = document.createElement("template");
      part.innerHTML = await answer.text();
      shown = wanted;
      // The live region itself must stay for changes in it to be read aloud.
      for (const name of [".drawn", ".mistakes"]) {
        const [old, fresh] = [region.querySelector(name), part.content.querySelector(name)];
        if (old && fresh && old.innerHTML !== fresh.innerHTML) old.replaceChildren(...fresh.childNodes);
      }
    } catch {
      // Given up, or no connection: the old drawing stays.
    }
  };
  const soon = calmly(draw, 120);
  for (const field of fields) field.addEventListener("input", soon);
  // Going back in the history fills the fields after the page was made for what they held before.
  addEventListener("pageshow", () => {
    if (fields.some((field) => field.value !== field.defaultValue)) draw();
  });
}

export function livePreview() {
  const region = document.querySelector(".preview[data-live]");
  const fields = ["q", "f"].map((id) => document.getElementById(id)).filter(Boolean);
  if (region && fields.length > 0) follow(region, "/preview", fields);
  const question = document.querySelector("[data-question]");
  const written = ["title", "body"].map((id) => document.getElementById(id)).filter(Boolean);
  if (question && written.length > 0) follow(question, "/ask/preview", written);
}
