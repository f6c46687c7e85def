// axe has nothing serious to say about any page, light or dark.
import assert from "node:assert/strict";
import { box, everyPage, findings, flow, open } from "./support.mjs";

// A colour on its way to another is none to judge.
const reducedMotion = "reduce";

// In the dark nothing differs but colours.
for (const [colorScheme, rules] of [["light"], ["dark", ["color-contrast", "link-in-text-block"]]]) {
  flow(`every page, ${colorScheme}`, { colorScheme, reducedMotion }, async (page) => {
    const pages = await everyPage(page);
    const all = [];
    for (const [name, path] of Object.entries(pages)) {
      await open(page, path);
      for (const finding of await findings(page, rules)) all.push(`${name}: ${finding}`);
    }
    assert.deepEqual(all, []);
  });

  flow(`opened parts, ${colorScheme}`, { colorScheme, reducedMotion }, async (page) => {
    await open(page, "/search?q=prime+%24x%5E2%2B1%24");
    await page.getByText("Formula and symbols").click();
    await page.locator("#palette button").first().waitFor();
    for (const why of await page.getByText("Why this matched").all()) await why.click();
    await box(page).focus();
    await page.keyboard.press("End");
    await page.keyboard.type(" $\\frac{a");
    await page.locator("mark.mistake").first().waitFor();
    assert.deepEqual(await findings(page, rules), []);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    assert.deepEqual(await findings(page, rules), []);
  });
}
