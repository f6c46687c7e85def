// Narrow screens: no page is wider than its window, and what is too wide scrolls in its own box.
import assert from "node:assert/strict";
import { everyPage, flow, open, overflow } from "./support.mjs";

for (const width of [390, 320]) {
  flow(`${width} pixels`, { viewport: { width, height: 780 }, isMobile: true, hasTouch: true }, async (page) => {
    const pages = await everyPage(page);
    const wide = [];
    for (const [name, path] of Object.entries(pages)) {
      await open(page, path);
      const more = await overflow(page);
      if (more > 0) wide.push(`${name} (${path}) by ${more} pixels`);
    }
    assert.deepEqual(wide, []);
  });
}

flow("at twice the size", { viewport: { width: 640, height: 450 } }, async (page) => {
  const pages = await everyPage(page);
  for (const [name, path] of Object.entries(pages)) {
    await open(page, path);
    assert.equal(await overflow(page), 0, name);
  }
});

flow("a very long formula scrolls in its box", { viewport: { width: 390, height: 780 } }, async (page) => {
  const sum = Array.from({ length: 60 }, (_, k) => `x_{${k}}`).join("+");
  for (const view of ["threads", "formulas"]) {
    await open(page, `/search?f=${encodeURIComponent(sum)}&view=${view}`);
    assert.equal(await overflow(page), 0, view);
  }
});
