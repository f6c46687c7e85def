// Formulas: their LaTeX is copied by mouse, by keys and by a long press, and they have a font of their own.
import assert from "node:assert/strict";
import { flow, hits, open, site, wideSite } from "./support.mjs";

const QUERY = "/search?q=prime+%24x%5E2%2B1%24";
const button = (page) => page.getByRole("button", { name: /^(Copy LaTeX|Copied)$/ });
const permissions = ["clipboard-read", "clipboard-write"];
const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());

/** Copies by a click on the button, which stands beside a formula. */
async function copies(page, math) {
  await button(page).waitFor();
  await button(page).click();
  await button(page).getByText("Copied").waitFor();
  assert.equal(await clipboard(page), await math.getAttribute("alttext"));
}

flow("by mouse", { permissions }, async (page) => {
  await open(page, QUERY);
  const math = page.locator(".snippet math").first();
  await math.hover();
  await copies(page, math);
  await page.locator(".summary").hover();
  await button(page).waitFor({ state: "detached" });
  // One in a title, which is a link: the link is not followed.
  const title = page.locator(".results h2 math").first();
  await title.hover();
  await copies(page, title);
  assert.match(page.url(), /\/search\?/);
});

flow("by keys", { permissions }, async (page) => {
  await open(page, QUERY);
  await page.locator(".snippet a.fx").first().focus();
  const math = page.locator(".snippet a.fx math").first();
  // As Tab leads there, past a button for the title if there are formulas in it.
  await page.keyboard.press("Shift+Tab");
  for (let step = 0; step < 3; step++) {
    if (await math.evaluate((made) => made.closest("a") === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await button(page).waitFor();
  await page.keyboard.press("Tab");
  assert.ok(await button(page).evaluate((made) => made === document.activeElement), "Tab leads to the button");
  await page.keyboard.press("Enter");
  await page.locator("#live").getByText("LaTeX copied").waitFor({ state: "attached" });
  assert.equal(await clipboard(page), await math.getAttribute("alttext"));
  await page.keyboard.press("Escape");
  await button(page).waitFor({ state: "detached" });
  assert.ok(await math.evaluate((made) => made.closest("a") === document.activeElement), "the formula has the focus again");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await page.locator(".copy-latex").count() > 1, false);
});

flow("from formula to formula by keys", { permissions }, async (page) => {
  await open(page, `/thread/${await firstThread(page)}`);
  const all = page.locator("main math[alttext]");
  assert.ok((await all.count()) > 2);
  for (const [key, place] of [["m", 0], ["m", 1], ["m", 2], ["Shift+M", 1]]) {
    await page.keyboard.press(key);
    await button(page).waitFor();
    await page.keyboard.press("c");
    await button(page).getByText("Copied").waitFor();
    assert.equal(await clipboard(page), await all.nth(place).getAttribute("alttext"), key);
  }
});

async function firstThread(page) {
  await open(page, QUERY);
  const address = await hits(page).first().locator("a.open").getAttribute("href");
  return /\/thread\/([^?#]+)/.exec(address)[1];
}

flow("by a long press", { permissions, hasTouch: true, isMobile: true, viewport: { width: 390, height: 780 } }, async (page, t, context) => {
  await open(page, QUERY);
  const math = page.locator(".snippet a.fx math").first();
  await math.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await math.boundingBox();
  const touch = await context.newCDPSession(page);
  const touchPoints = [{ x: x + Math.min(width, 40) / 2, y: y + height / 2 }];
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await button(page).waitFor();
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  assert.match(page.url(), /\/search\?/, "the link was not followed");
  await copies(page, math);
});

flow("the button stays in the window", { viewport: { width: 390, height: 780 } }, async (page) => {
  await page.goto(`${wideSite}/thread/1`);
  for (let step = 0; step < 8; step++) {
    await page.keyboard.press("m");
    const { x, y, width, height } = await button(page).boundingBox();
    assert.ok(x >= 0 && x + width <= 390 && y >= 0 && y + height <= 780, JSON.stringify({ step, x, y, width, height }));
  }
});

flow("without scripts there is no button", { javaScriptEnabled: false }, async (page) => {
  await open(page, QUERY);
  await page.locator(".snippet math").first().hover();
  assert.equal(await page.locator(".copy-latex, button:has-text('Copy')").count(), 0);
});

flow("a small root has no gap behind it", async (page) => {
  await open(page, "/search?f=%5Csqrt%7B2%7D%2B1");
  const math = page.locator(".preview math").first();
  await page.evaluate(() => document.fonts.ready);
  const gap = await math.evaluate((made) => {
    const root = made.querySelector("msqrt");
    return (root.getBoundingClientRect().right - root.lastElementChild.getBoundingClientRect().right)
      / parseFloat(getComputedStyle(root).fontSize);
  });
  assert.ok(gap < 0.15, `${gap} em`);
});

flow("formulas have a font of their own, loaded once and kept", async (page) => {
  const fonts = [];
  page.on("response", (answer) => { if (answer.url().endsWith(".woff2")) fonts.push(answer); });
  await open(page, QUERY);
  await page.evaluate(() => document.fonts.ready);
  const named = await page.locator(".snippet math").first().evaluate((math) => getComputedStyle(math).fontFamily);
  assert.match(named, /^"Hypatia Math"/);
  assert.ok(await page.evaluate(() => document.fonts.check('16px "Hypatia Math"', "∫")));
  assert.equal(fonts.length, 1);
  for (const font of fonts) {
    assert.equal(new URL(font.url()).origin, site);
    const headers = font.headers();
    assert.equal(headers["content-type"], "font/woff2");
    assert.match(headers["cache-control"], /max-age=31536000, immutable/);
    assert.equal(headers["content-encoding"], undefined);
  }
});
