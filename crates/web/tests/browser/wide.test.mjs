// Long formulas, matrices, tables, code and words: each scrolls or breaks in its own place, on any page.
import assert from "node:assert/strict";
import { findings, flow, overflow, wideSite } from "./support.mjs";

const PATHS = [
  "/thread/1", "/thread/3", "/thread/4", "/post/2", "/search?q=wide", "/search?q=wide&view=posts&sort=votes",
  "/search?f=x_0%2Bx_1&view=formulas", "/ask?title=wide&body=wide+words", "/answer?q=what+are+wide+words",
];

/** What is cut off by the window, though no box around it scrolls. */
function cutOff(page) {
  return page.evaluate(() => {
    const scrolls = (element) => {
      for (let at = element; at && at !== document.body; at = at.parentElement) {
        if (getComputedStyle(at).overflowX !== "visible") return true;
      }
      return false;
    };
    return [...document.querySelectorAll("main *")]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element))
      .map((element) => element.outerHTML.slice(0, 80));
  });
}

for (const width of [390, 320, 1280]) {
  flow(`wide things at ${width} pixels`, { viewport: { width, height: 780 }, isMobile: width < 600 }, async (page) => {
    for (const path of PATHS) {
      await page.goto(wideSite + path);
      assert.equal(await overflow(page), 0, path);
      assert.deepEqual(await cutOff(page), [], path);
    }
    await page.goto(`${wideSite}/search?f=x_0%2Bx_1&view=formulas`);
    await page.locator(".results a.open").first().click();
    await page.waitForURL(/\/formula\//);
    assert.equal(await overflow(page), 0, page.url());
  });
}

flow("what scrolls is a part, not the whole post", { viewport: { width: 390, height: 780 } }, async (page) => {
  await page.goto(`${wideSite}/thread/1`);
  const posts = await page.locator(".postcell, .answercell, .comments .text").evaluateAll((boxes) =>
    boxes.filter((box) => box.scrollWidth > box.clientWidth + 1).length);
  assert.equal(posts, 0);
  for (const selector of [".postcell .block", ".postcell p > .w3", ".postcell table", ".postcell pre", "h1 .w3"]) {
    const box = page.locator(selector).first();
    const [whole, seen] = await box.evaluate((part) => [part.scrollWidth, part.clientWidth]);
    assert.ok(whole > seen, `${selector}: ${whole} in ${seen}`);
    await box.evaluate((part) => { part.scrollLeft = 50; });
    assert.equal(await box.evaluate((part) => part.scrollLeft), 50, selector);
  }
});

flow("a formula that scrolls stands on the line of its text", async (page) => {
  await page.goto(`${wideSite}/thread/1`);
  // The baselines of a wide formula and of the words beside it, by boxes without a height.
  const off = await page.locator(".postcell p > .w3").first().evaluate((box) => {
    const probe = () => {
      const made = document.createElement("span");
      made.style.display = "inline-block";
      return made;
    };
    const [inside, outside] = [document.createElementNS("http://www.w3.org/1998/Math/MathML", "mspace"), probe()];
    box.querySelector("math").prepend(inside);
    box.after(outside);
    return Math.abs(inside.getBoundingClientRect().bottom - outside.getBoundingClientRect().bottom);
  });
  assert.ok(off < 2, `${off} pixels`);
});

flow("axe on wide things", { viewport: { width: 390, height: 780 } }, async (page) => {
  for (const path of PATHS) {
    await page.goto(wideSite + path);
    assert.deepEqual(await findings(page), [], path);
  }
});
