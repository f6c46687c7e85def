// Pages to read: a formula, a thread, a post; and a question that is asked in full.
import assert from "node:assert/strict";
import { firstFormula, flow, hits, open, results } from "./support.mjs";

flow("a formula's page: drawn, as source, as trees, and what is near it", async (page) => {
  await open(page, await firstFormula(page));
  assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
  await page.locator("main math").first().waitFor();
  assert.match(await page.locator("#latex").innerText(), /x\s*\^/);
  const trees = page.locator("svg.tree[role=img]");
  assert.ok((await trees.count()) >= 2, "a layout tree and an operator tree");
  for (const tree of await trees.all()) {
    const { width, height } = await tree.boundingBox();
    assert.ok(width > 20 && height > 20);
    assert.ok((await tree.locator(".tree-node").count()) > 1);
  }
  for (const [name, least] of [["Similar formulas", 1], ["Formulas that contain it", 1]]) {
    const part = page.getByRole("region", { name });
    assert.ok((await part.locator('a[href^="/formula/"]').count()) >= least, name);
  }
  // From one formula to the next.
  const other = page.getByRole("region", { name: "Similar formulas" }).locator('a[href^="/formula/"]').first();
  const address = await other.getAttribute("href");
  await other.click();
  await page.waitForURL(`**${address}`);
  await page.getByRole("link", { name: "Search for it" }).click();
  await page.waitForURL(/\/search\?.*f=/);
  await results(page).waitFor();
});

flow("a thread, and from a formula in it to the formula's page", async (page) => {
  await open(page, "/search?q=irreducible+modulo+every+prime");
  await hits(page).first().locator("a.open").click();
  await page.waitForURL(/\/thread\//);
  assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
  assert.ok((await page.locator("main article").count()) > 1, "the question and an answer");
  const formula = page.locator('main a.math-container[href^="/formula/"]').first();
  const address = await formula.getAttribute("href");
  await formula.click();
  await page.waitForURL(`**${address}`);
  await page.locator("svg.tree").first().waitFor();
});

flow("an answer alone names its thread", async (page) => {
  await open(page, "/search?q=is:answer+prime&view=posts");
  const address = await hits(page).first().locator("a.open").getAttribute("href");
  const id = /#post-(\d+)/.exec(address)?.[1] ?? /\/post\/(\d+)/.exec(address)?.[1];
  assert.ok(id, address);
  await open(page, `/post/${id}`);
  assert.equal(await page.locator("main article").count(), 1);
  const up = page.locator('main a[href^="/thread/"]').first();
  await up.click();
  await page.waitForURL(/\/thread\//);
  await page.locator(`#post-${id}`).waitFor();
});

flow("what is not there is told with a page", { troubles: [/404/] }, async (page) => {
  for (const path of ["/thread/999999999", "/formula/18446744073709551615", "/post/x", "/no-such-page", "/formula/x"]) {
    const answer = await page.goto(new URL(path, process.env.HYPATIA_SITE).href);
    assert.ok([404, 400].includes(answer.status()), `${path}: ${answer.status()}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  }
});

flow("a question is answered by one system, without scripts too", { javaScriptEnabled: false }, async (page) => {
  await open(page, "/ask");
  await page.getByRole("textbox", { name: /Title/ }).fill("Why is the square root of two irrational?");
  await page.getByRole("button", { name: "Find answers" }).click();
  await page.waitForURL(/title=/);
  await page.getByRole("heading", { name: /^Answers/ }).waitFor();
  assert.equal(await page.locator(".column").count(), 1);
  assert.equal(await page.getByRole("checkbox").count(), 0);
  await page.getByText("Change the question").click();
  await page.getByText("Compare systems").click();
  assert.ok((await page.getByRole("checkbox").count()) >= 2);
});

flow("two systems answer a question side by side", async (page) => {
  await open(page, "/ask");
  await page.getByRole("textbox", { name: /Title/ }).fill("Why is the square root of two irrational?");
  await page.getByRole("textbox", { name: /Question|Body|in full/i }).first().fill("I know that $\\sqrt 2$ is no fraction.");
  const systems = page.getByRole("checkbox");
  assert.equal(await systems.count(), 0, "nobody needs to know what a system is");
  await page.getByText("Compare systems").click();
  assert.ok((await systems.count()) >= 2);
  for (const system of await systems.all()) if (await system.isChecked()) await system.uncheck();
  await systems.nth(0).check();
  await systems.nth(1).check();
  await page.getByRole("main").getByRole("button", { name: /Ask|Find/i }).click();
  await page.waitForURL((url) => url.searchParams.getAll("system").length === 2);
  const columns = page.getByRole("list", { name: /^Answers from/ });
  assert.equal(await columns.count(), 2);
  for (const column of await columns.all()) assert.ok((await column.locator("> li").count()) > 0);
  // Where an answer stands in the other column is said, and leads there.
  const elsewhere = page.getByRole("list", { name: "In the other columns" }).getByRole("link").first();
  const target = await elsewhere.getAttribute("href");
  await elsewhere.click();
  assert.ok(await page.locator(target).isVisible());
});
