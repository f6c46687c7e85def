// Answers: above results, on a page of their own, and written by a language model.
import assert from "node:assert/strict";
import { box, findings, flow, hits, modelSite, open, overflow, reply, results, search } from "./support.mjs";

const QUESTION = "why are the eigenvalues of a symmetric matrix real?";
const ASKED = `q=${encodeURIComponent(QUESTION)}`;
const from = (page) => reply(page).locator(".from");
const all = (page) => reply(page).getByRole("button", { name: "Show all of it" });

flow("a question has an answer above its results", async (page) => {
  await open(page, "/");
  await search(page, QUESTION);
  await results(page).waitFor();
  await from(page).waitFor();
  assert.match(await from(page).innerText(), /^EXTRACTED( PASSAGE)? from an answer to /);
  assert.ok((await reply(page).locator(".said").innerText()).length > 40);
  assert.equal(await reply(page).getAttribute("aria-busy"), null);
  assert.equal(await hits(page).count(), 10, "the answer is no result");
  assert.doesNotMatch(await page.locator("main").innerText(), /language model/);
  await from(page).getByRole("link").click();
  await page.waitForURL(/\/thread\/[^#]+#post-/);
  await page.goBack();
  await from(page).waitFor();
});

flow("nothing moves when the answer comes, on a phone too", { viewport: { width: 390, height: 780 } }, async (page) => {
  await page.route(/\/answer\/part/, async (route) => {
    // Results are there before it.
    await results(page).waitFor();
    await route.continue();
  });
  await open(page, `/search?${ASKED}`);
  await results(page).waitFor();
  const before = await hits(page).first().boundingBox();
  await from(page).waitFor();
  assert.deepEqual(await hits(page).first().boundingBox(), before);
  assert.equal(await overflow(page), 0);
});

flow("what does not fit opens, by keys", { viewport: { width: 390, height: 780 } }, async (page) => {
  await open(page, `/search?${ASKED}`);
  await from(page).waitFor();
  await all(page).focus();
  await page.keyboard.press("Enter");
  const less = reply(page).getByRole("button", { name: "Show less" });
  assert.equal(await less.getAttribute("aria-expanded"), "true");
  const body = reply(page).locator(".reply-body");
  assert.ok(await body.evaluate((part) => part.scrollHeight <= part.clientHeight + 1), "all of it is shown");
  await page.keyboard.press("Enter");
  assert.equal(await all(page).getAttribute("aria-expanded"), "false");
});

flow("what asks nothing has none", async (page) => {
  for (const path of ["/search?q=prime", "/search?f=x%5E2", "/search?q=prime+numbers+tag:algebra"]) {
    await open(page, path);
    assert.equal(await reply(page).count(), 0, path);
  }
});

flow("an answer that cannot be had leaves the link", { troubles: [/ERR_FAILED/] }, async (page) => {
  await page.route(/\/answer\/part/, (route) => route.abort());
  const failed = page.waitForEvent("requestfailed");
  await open(page, `/search?${ASKED}`);
  await failed;
  await reply(page).getByRole("link", { name: "Show an answer" }).click();
  await page.waitForURL(/\/answer\?q=/);
});

flow("answers without scripts", { javaScriptEnabled: false }, async (page) => {
  await open(page, `/search?${ASKED}`);
  await reply(page).getByRole("link", { name: "Show an answer" }).click();
  await page.waitForURL(/\/answer\?q=/);
  const first = page.getByRole("region", { name: /^hypatia-extract/ });
  assert.match(await first.locator(".from").innerText(), /^EXTRACTED( PASSAGE)? from an answer to /);
  await page.getByText("Compare systems").click();
  await page.getByRole("checkbox", { name: /^first-answer/ }).check();
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await page.waitForURL(/system=first-answer/);
  assert.equal(await page.locator(".reply .from").count(), 2);
  await page.getByLabel("Another question").fill("what is a prime number");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.waitForURL((url) => url.search === "?q=what+is+a+prime+number");
  await page.goBack();
  await page.getByRole("link", { name: "Search for it" }).click();
  assert.equal(await box(page).inputValue(), QUESTION);
});

flow("a question in full has an answer, too", async (page) => {
  await open(page, "/ask?title=Why+is+the+square+root+of+two+irrational%3F&body=I+know+that+%24%5Csqrt+2%24+is.");
  await from(page).waitFor();
  assert.match(await from(page).innerText(), /^EXTRACTED( PASSAGE)? from an answer to /);
});

flow("a model writes in place, and can be stopped", async (page) => {
  page.on("dialog", () => assert.fail("a script ran"));
  await page.goto(`${modelSite}/search?${ASKED}`);
  await from(page).waitFor();
  const write = page.getByRole("button", { name: "Let the model write an answer" });
  await write.click();
  const written = page.locator(".by-model");
  await written.waitFor();
  assert.match(await written.innerText(), /^WRITTEN BY A MODEL fake <1>\. It may be wrong\./);
  assert.equal(await page.getByRole("region", { name: "Answer written by a language model" }).count(), 1);
  assert.ok(await written.evaluate((part) => part === document.activeElement), "the answer has the focus");
  assert.match(await written.getByRole("link", { name: "Source 1" }).getAttribute("href"), /^\/thread\//);
  assert.equal(await write.count(), 0);
  assert.deepEqual(await findings(page), []);
  await page.goto(`${modelSite}/answer?q=endless+square+roots`);
  await write.click();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText("Stopped.").waitFor();
  await write.waitFor();
});

flow("a short answer leaves no gap, and none is told as none", async (page) => {
  const fill = (html) => page.route(/\/answer\/part/, (route) => route.fulfill({ contentType: "text/html", body: html }));
  const height = () => reply(page).locator(".reply-body").evaluate((part) => part.clientHeight);
  await fill('<p class="from">From</p><div class="said text"><p>Yes.</p></div>');
  await open(page, `/search?${ASKED}`);
  await page.getByText("An answer stands before the results").waitFor({ state: "attached" });
  assert.ok(await height() < 90, `a line and another take ${await height()} pixels`);
  await page.unroute(/\/answer\/part/);
  await fill('<p class="facts">No answer was found.</p>');
  await open(page, `/search?${ASKED}`);
  await page.locator("#live").getByText("No close answer was found").waitFor({ state: "attached" });
  assert.ok(await height() < 40, `nothing takes ${await height()} pixels`);
});

flow("what the server says of a model is shown", { troubles: [/status of 400/] }, async (page) => {
  await page.goto(`${modelSite}/answer?${ASKED}`);
  // As it answers to a system that writes nothing.
  await page.locator('form[data-write] [name="system"]').evaluate((field) => { field.value = "first-answer"; });
  await page.getByRole("button", { name: "Let the model write an answer" }).click();
  await page.getByText("First-answer lets no language model write.").waitFor();
  await page.getByRole("button", { name: "Let the model write an answer" }).waitFor();
});

flow("a model writes without scripts", { javaScriptEnabled: false }, async (page) => {
  await page.goto(`${modelSite}/answer?${ASKED}`);
  await page.getByRole("button", { name: "Let the model write an answer" }).click();
  await page.waitForURL(/\/answer\/write/);
  assert.match(await page.locator(".from").innerText(), /^WRITTEN BY A MODEL/);
  assert.equal(await page.locator("main script").count(), 0);
});
