// Searching: by words, by formulas, by both; views, filters, reasons, pages.
import assert from "node:assert/strict";
import { box, filters, flow, formulaRow, hits, open, results, search, tab, total } from "./support.mjs";

flow("words and a formula together", async (page) => {
  await open(page, "/");
  await search(page, "prime $x^2+1$");
  await results(page).waitFor();
  assert.ok((await hits(page).count()) > 1);
  assert.match(await page.title(), /prime/);
  assert.equal(await box(page).inputValue(), "prime $x^2+1$");
  assert.ok((await page.locator(".results mark").count()) > 0, "words are marked");
});

flow("by the formula row alone", async (page) => {
  await open(page, "/");
  await page.getByText("Formula and symbols").click();
  await formulaRow(page).fill("x^4+1");
  await formulaRow(page).press("Enter");
  await page.waitForURL(/[?&]f=/);
  await results(page).waitFor();
  assert.match(await hits(page).first().innerText(), /irreducible|factor|polynomial/i);
  // The row stays open with what was typed.
  assert.equal(await formulaRow(page).inputValue(), "x^4+1");
});

flow("a wildcard stands for anything", async (page) => {
  await open(page, `/search?f=${encodeURIComponent("\\int_?a^?b ?f dx")}&view=formulas`);
  await results(page).waitFor();
  assert.ok((await hits(page).count()) > 0);
  assert.ok((await results(page).locator(".hyp-wildcard").count()) > 0, "what it stands for is set off");
});

flow("the three views keep the query", async (page) => {
  await open(page, "/search?q=prime+%24p%24");
  const q = await box(page).inputValue();
  for (const [name, view] of [["Posts", "posts"], ["Formulas", "formulas"], ["Threads", null]]) {
    await tab(page, name).click();
    await page.waitForURL((url) => url.searchParams.get("view") === view);
    assert.equal(await tab(page, name).getAttribute("aria-current"), "page");
    assert.equal(await box(page).inputValue(), q);
    await results(page).waitFor();
  }
});

flow("formulas that look the same are one", async (page) => {
  await open(page, "/search?f=x%5E2&view=formulas");
  const addresses = await page.locator('.results a.open[href^="/formula/"]').evaluateAll(
    (links) => links.map((link) => link.getAttribute("href")));
  assert.ok(addresses.length > 3);
  assert.equal(new Set(addresses).size, addresses.length);
  assert.match(await hits(page).first().innerText(), /in\s\d+\sposts?/);
});

flow("a filter is added and removed, and its count is right", async (page) => {
  await open(page, "/search?q=prime&view=posts");
  const all = await total(page);
  const tag = filters(page).locator("section", { hasText: /Tags/i }).getByRole("link").first();
  const count = Number((await tag.locator(".n").innerText()).replace(/\D/g, ""));
  assert.ok(count > 0 && count < all, `${count} of ${all}`);
  await tag.click();
  await page.waitForURL((url) => /tag|\[|%5B/.test(url.search));
  assert.equal(await total(page), count);
  const chip = page.getByRole("list", { name: "Active filters" }).getByRole("link").first();
  await chip.click();
  await page.waitForURL((url) => url.searchParams.get("q").trim() === "prime");
  assert.equal(await total(page), all);
});

flow("filters of kind narrow down", async (page) => {
  await open(page, "/search?q=prime&view=posts");
  const link = filters(page).getByRole("link", { name: /question/i }).first();
  const count = Number((await link.locator(".n").innerText()).replace(/\D/g, ""));
  await link.click();
  await page.getByRole("list", { name: "Active filters" }).waitFor();
  assert.equal(await total(page), count);
  for (const kind of await page.locator(".hit .kind").allInnerTexts()) assert.match(kind, /question/i);
});

flow("why a post was found is told on demand", async (page) => {
  await open(page, "/search?q=prime+%24x%5E2%2B1%24");
  const why = hits(page).first().locator("details.why");
  assert.equal(await why.getAttribute("open"), null);
  await why.getByText("Why this matched").click();
  assert.match(await why.innerText(), /prime/i);
  assert.ok(await why.locator("table").first().isVisible());
});

flow("pages", async (page) => {
  await open(page, "/search?q=prime&view=posts");
  const first = await hits(page).first().locator("a.open").getAttribute("href");
  const pages = page.getByRole("navigation", { name: "Pages" });
  await pages.locator("[rel=next]").click();
  await page.waitForURL(/page=2/);
  assert.notEqual(await hits(page).first().locator("a.open").getAttribute("href"), first);
  await page.getByRole("navigation", { name: "Pages" }).locator("[rel=prev]").click();
  await page.waitForURL((url) => !/page=2/.test(url.search));
  assert.equal(await hits(page).first().locator("a.open").getAttribute("href"), first);
});

flow("nothing found still helps", async (page) => {
  await open(page, "/search?q=zzzzqqqq");
  assert.equal(await hits(page).count(), 0);
  assert.ok((await page.locator("main").innerText()).length > 80);
});

flow("what is typed is never markup", async (page) => {
  const hostile = "<img src=x onerror=alert(1)>\"'><script>alert(1)</script>";
  await open(page, "/");
  page.on("dialog", () => assert.fail("a script ran"));
  await search(page, hostile);
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.equal(await box(page).inputValue(), hostile);
});

flow("the back button brings back query and results", async (page) => {
  await open(page, "/");
  await search(page, "prime");
  const titles = await page.locator(".results a.open").allInnerTexts();
  await search(page, "matrix");
  await results(page).waitFor();
  assert.notDeepEqual(await page.locator(".results a.open").allInnerTexts(), titles);
  await page.goBack();
  await page.waitForURL(/q=prime/);
  assert.equal(await box(page).inputValue(), "prime");
  assert.deepEqual(await page.locator(".results a.open").allInnerTexts(), titles);
  await page.locator(".results a.open").first().click();
  await page.waitForURL(/\/(thread|post)\//);
  await page.goBack();
  await page.waitForURL(/q=prime/);
  assert.deepEqual(await page.locator(".results a.open").allInnerTexts(), titles);
});
