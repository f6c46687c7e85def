// Nothing jumps while a page loads or while one types, pages are light, and how quick the server was.
import assert from "node:assert/strict";
import { box, everyPage, flow, open, preview, site } from "./support.mjs";

const watch = () => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      // Also what follows a key at once: whoever types reads, too.
      window.shifts.push({ value: entry.value, what: entry.sources.map(({ node }) => node?.nodeName + "." + (node?.className ?? "")).join(" ") });
    }
  }).observe({ type: "layout-shift", buffered: true });
};

const shifted = async (page) => {
  await page.waitForTimeout(150);
  return page.evaluate(() => window.shifts);
};

const sum = (shifts) => shifts.reduce((all, { value }) => all + value, 0);

flow("no page jumps while it loads", async (page) => {
  const pages = await everyPage(page);
  await page.addInitScript(watch);
  for (const [name, path] of Object.entries(pages)) {
    await open(page, path);
    const shifts = await shifted(page);
    assert.ok(sum(shifts) < 0.05, `${name}: ${JSON.stringify(shifts)}`);
  }
});

flow("nothing jumps while one types", async (page) => {
  await page.addInitScript(watch);
  await open(page, "/search?q=prime");
  await box(page).focus();
  await page.keyboard.press("End");
  await page.keyboard.type(" $x^2+\\frac{1}{n}$", { delay: 15 });
  await preview(page).locator("math mfrac").first().waitFor();
  const shifts = await shifted(page);
  assert.ok(sum(shifts) < 0.05, JSON.stringify(shifts));
});

flow("pages are light", async (page) => {
  const loaded = [];
  page.on("response", (response) => {
    if (/\.(css|js)$/.test(new URL(response.url()).pathname)) loaded.push(response.body());
  });
  const answer = await open(page, "/search?q=prime+%24p%24");
  const html = (await answer.body()).length;
  const bytes = (await Promise.all(loaded)).reduce((all, body) => all + body.length, 0);
  assert.ok(html < 150_000, `the page has ${html} bytes`);
  assert.ok(bytes > 0 && bytes < 80_000, `styles and scripts have ${bytes} bytes`);
});

flow("how long a page of results takes", async (page, t) => {
  for (const path of ["/search?q=prime", "/search?q=prime+%24x%5E2%2B1%24", "/search?f=x%5E2&view=formulas"]) {
    const times = [];
    for (let run = 0; run < 5; run++) {
      const start = performance.now();
      const answer = await page.request.get(site + path, { headers: { "cache-control": "no-cache" } });
      await answer.body();
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    t.diagnostic(`measured ${path}: first page in ${times[2].toFixed(0)} ms (median of ${times.length})`);
  }
});
