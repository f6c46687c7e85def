// Sorting: by links that need no script, kept from page to page and from search to search.
import assert from "node:assert/strict";
import { box, flow, hits, open, search, site, total } from "./support.mjs";

const sorts = (page) => page.getByRole("navigation", { name: "Sort by" });
const sortLink = (page, name) => sorts(page).getByRole("link", { name });
const votes = (page) => hits(page).locator("article > .facts").evaluateAll((facts) =>
  facts.map((fact) => Number(/(-?\d+) votes?/.exec(fact.textContent.replace("−", "-"))?.[1] ?? -Infinity)));
const days = (page) => hits(page).locator("article > .facts").evaluateAll((facts) =>
  facts.map((fact) => fact.querySelector("time")?.dateTime ?? ""));
const descends = (values) => values.every((value, place) => place === 0 || values[place - 1] >= value);

flow("by votes and by date, without scripts", { javaScriptEnabled: false }, async (page) => {
  for (const view of ["threads", "posts"]) {
    await open(page, `/search?q=prime&view=${view}`);
    const all = await total(page);
    assert.equal(await sortLink(page, "Relevance").getAttribute("aria-current"), "true");
    const ranked = await votes(page);
    await sortLink(page, "Votes").click();
    await page.waitForURL(/sort=votes/);
    assert.equal(await sortLink(page, "Votes").getAttribute("aria-current"), "true");
    assert.equal(await total(page), all);
    const sorted = await votes(page);
    assert.ok(descends(sorted), `${sorted}`);
    assert.ok(!descends(ranked) || sorted[0] >= ranked[0]);
    const last = sorted.at(-1);
    await page.getByRole("link", { name: "Next page" }).click();
    await page.waitForURL(/sort=votes.*page=2|page=2.*sort=votes/);
    const next = await votes(page);
    assert.ok(descends([last, ...next]), `${last}, ${next}`);
    await sortLink(page, "Newest").click();
    await page.waitForURL((url) => url.searchParams.get("sort") === "date" && !url.searchParams.has("page"));
    assert.ok(descends(await days(page)), `${await days(page)}`);
    await sortLink(page, "Relevance").click();
    await page.waitForURL((url) => !url.searchParams.has("sort"));
    assert.deepEqual(await votes(page), ranked);
  }
});

flow("another search keeps the order, formulas have none", async (page) => {
  await open(page, "/search?q=prime&sort=votes");
  await search(page, "matrix");
  assert.equal(new URL(page.url()).searchParams.get("sort"), "votes");
  assert.ok(descends(await votes(page)));
  await open(page, "/search?f=x%5E2&view=formulas");
  assert.equal(await sorts(page).count(), 0);
  assert.ok(await box(page).isVisible());
  await page.goto(`${site}/search?q=zzzzqqqq&sort=votes`);
  assert.equal(await sorts(page).count(), 0);
});
