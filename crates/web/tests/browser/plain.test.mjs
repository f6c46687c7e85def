// Without scripts everything works that needs none.
import assert from "node:assert/strict";
import { box, filters, firstFormula, flow, formulaRow, hits, open, preview, total } from "./support.mjs";

const plain = { javaScriptEnabled: false };

flow("search, filters and pages without scripts", plain, async (page) => {
  await open(page, "/");
  // Nothing is drawn while somebody types, and nothing says so.
  assert.equal(await page.getByText("as you type").isVisible(), false);
  await box(page).fill("prime $p$");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.waitForURL(/\/search\?/);
  assert.ok((await hits(page).count()) > 1);
  // The server draws what was typed.
  assert.ok((await preview(page).locator("math").count()) > 0);
  await open(page, "/search?q=prime&view=posts");
  const all = await total(page);
  await filters(page).getByRole("link").first().click();
  await page.getByRole("list", { name: "Active filters" }).waitFor();
  assert.ok((await total(page)) < all);
  await page.getByRole("list", { name: "Active filters" }).getByRole("link").first().click();
  await page.getByRole("navigation", { name: "Pages" }).locator("[rel=next]").click();
  await page.waitForURL(/page=2/);
});

flow("the formula row without scripts", plain, async (page) => {
  await open(page, "/");
  await page.getByText("Formula and symbols").click();
  await formulaRow(page).fill("x^4+1");
  await formulaRow(page).press("Enter");
  await page.waitForURL(/f=x/);
  assert.ok((await hits(page).count()) > 0);
});

flow("reasons, a formula's page and a thread without scripts", plain, async (page) => {
  await open(page, "/search?q=prime+%24x%5E2%2B1%24");
  await page.getByText("Why this matched").first().click();
  assert.ok(await page.locator("details.why table").first().isVisible());
  await open(page, await firstFormula(page));
  assert.ok((await page.locator("svg.tree").count()) >= 2);
  await open(page, "/search?q=prime");
  await hits(page).first().locator("a.open").click();
  await page.waitForURL(/\/thread\//);
  await page.locator("main article").first().waitFor();
});

flow("asking without scripts", plain, async (page) => {
  await open(page, "/ask");
  assert.equal(await page.getByText("as you write").isVisible(), false);
  await open(page, "/ask?title=Why+is+the+square+root+of+two+irrational%3F");
  assert.ok((await page.locator("main a[href^='/thread/'], main a[href^='/post/']").count()) > 0);
});
