// From loading the page to reading a result without a mouse.
import assert from "node:assert/strict";
import { box, flow, formulaRow, hits, open } from "./support.mjs";

const focused = (page) => page.evaluate(() => {
  const { tagName, id, className } = document.activeElement;
  return `${tagName}#${id}.${className}`;
});

flow("search and read by keys alone", async (page) => {
  await open(page, "/");
  await page.keyboard.press("/");
  assert.ok(await box(page).evaluate((field) => field === document.activeElement));
  await page.keyboard.type("prime $p$");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/search\?/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  const first = hits(page).first().locator("a.open");
  assert.ok(await first.evaluate((link) => link === document.activeElement), await focused(page));
  await page.keyboard.press("e");
  assert.ok(await hits(page).first().locator("details.why").evaluate((why) => why.open));
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/(thread|post)\//);
  await page.goBack();
  await page.waitForURL(/\/search\?/);
});

flow("views and pages by keys", async (page) => {
  await open(page, "/search?q=prime");
  for (const [key, view] of [["p", "posts"], ["f", "formulas"], ["t", null]]) {
    await page.keyboard.press("Escape");
    await page.keyboard.press(key);
    await page.waitForURL((url) => url.searchParams.get("view") === view);
  }
  await page.keyboard.press("Escape");
  await page.keyboard.press("]");
  await page.waitForURL(/page=2/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("[");
  await page.waitForURL((url) => !/page=2/.test(url.search));
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
});

flow("keys do nothing while one types", async (page) => {
  await open(page, "/search?q=prime");
  await box(page).focus();
  await page.keyboard.press("End");
  await page.keyboard.type(" tjkp?/[]");
  assert.equal(await box(page).inputValue(), "prime tjkp?/[]");
  assert.match(page.url(), /q=prime$/);
});

flow("the palette by keys", async (page) => {
  await open(page, "/");
  const summary = page.locator("summary", { hasText: "Formula and symbols" });
  await summary.focus();
  await page.keyboard.press("Enter");
  await page.locator("#palette button").first().waitFor();
  const seek = page.getByRole("textbox", { name: "Find a symbol" });
  for (let step = 0; step < 4; step++) {
    if (await seek.evaluate((field) => field === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await page.keyboard.type("integral");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  assert.match(await formulaRow(page).inputValue(), /\\.*int/, await focused(page));
});

flow("whatever has the focus shows it, and the first Tab offers the content", async (page) => {
  await open(page, "/search?q=prime");
  await page.keyboard.press("Escape");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Tab");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Skip/);
  for (let step = 0; step < 30; step++) {
    await page.keyboard.press("Tab");
    const seen = await page.evaluate(() => {
      // A field inside a frame may leave the sign to the frame.
      for (let at = document.activeElement; at && at !== document.body; at = at.parentElement) {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
        if ((outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none") return true;
      }
      return document.activeElement === document.body;
    });
    assert.ok(seen, `no sign of the focus at ${await focused(page)}`);
  }
});
