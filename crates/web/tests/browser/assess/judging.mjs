// Judging: by keys alone, with comments, with a server that fails, with pauses, on a phone, without scripts.
import assert from "node:assert/strict";
import { findings, flow, open, overflow, site } from "../support.mjs";

const people = JSON.parse(process.env.HYPATIA_PEOPLE);

/** A person's own page: each test is somebody else. */
async function as(context, name) {
  const { hostname: domain } = new URL(site);
  await context.addCookies([{ name: "hypatia", value: people[name].session, domain, path: "/" }]);
  return people[name];
}

const status = (page) => page.locator("#status");
const saved = (page, text) => page.waitForFunction((text) => document.getElementById("status").textContent === text, text);
const pressed = (page) => page.locator('.scale button[aria-pressed="true"]').evaluateAll((buttons) => buttons.map(({ value }) => value));
const place = (page) => page.locator("#sheet").getAttribute("data-place");
const arrived = (page, number) => page.waitForFunction((number) => document.getElementById("sheet").dataset.place === number, String(number));
/** What a page sends, as it is sent. */
function listen(page, path) {
  const sent = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname === path) sent.push(new URLSearchParams(request.postData()));
  });
  return sent;
}

flow("a batch by keys alone", async (page, t, context) => {
  const { answers } = await as(context, "ada");
  await open(page, "/");
  const first = page.getByRole("link", { name: /^Begin Answers/ });
  await first.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/task\//);
  const address = page.url();
  const sent = listen(page, "/judge");
  await page.keyboard.press("3");
  await arrived(page, 2);
  await saved(page, "Saved High");
  assert.notEqual(page.url(), address, "the address is that of the next item");
  assert.ok(await page.evaluate(() => document.activeElement.matches(".part")), "the focus goes along");
  assert.match(await page.locator("#far").innerText(), /^1 of 5 in this batch · \d+ s each$/);
  await page.keyboard.press("0");
  await arrived(page, 3);
  await saved(page, "Saved Not relevant");
  // Back and forth, by keys and by the browser.
  await page.keyboard.press("p");
  await arrived(page, 2);
  assert.deepEqual(await pressed(page), ["0"]);
  await page.keyboard.press("ArrowRight");
  await arrived(page, 3);
  await page.goBack();
  await arrived(page, 2);
  await page.goForward();
  await arrived(page, 3);
  await page.keyboard.press("s");
  await arrived(page, 4);
  await page.keyboard.press("1");
  await arrived(page, 5);
  await page.keyboard.press("2");
  // What was skipped comes again.
  await arrived(page, 3);
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("3");
  await page.keyboard.press("Escape");
  assert.deepEqual(await pressed(page), [], "keys do nothing behind a dialog");
  await page.keyboard.press("2");
  await page.waitForURL(new RegExp(`/batch/${answers}$`));
  await page.getByText("All of it is judged").waitFor();
  assert.equal(sent.length, 5);
  assert.equal(new Set(sent.map((fields) => fields.get("request"))).size, 5);
});

flow("comments are asked for, things are taken back", async (page, t, context) => {
  const { answers } = await as(context, "ben");
  await open(page, `/batch/${answers}/next`);
  const sent = listen(page, "/judge");
  await page.keyboard.press("d");
  const comment = page.getByRole("textbox", { name: /^Comment on/ });
  assert.ok(await comment.evaluate((field) => field === document.activeElement));
  assert.match(await page.locator(".need").innerText(), /^Do not know is saved when there is a comment/);
  await page.keyboard.press("Enter");
  assert.equal(sent.length, 0);
  await page.keyboard.type("3 too hard, u know?");
  await page.keyboard.press("Enter");
  await arrived(page, 2);
  await saved(page, "Saved Do not know");
  assert.equal(sent[0].get("comment"), "3 too hard, u know?");
  assert.equal(sent[0].get("verdict"), "unknown");
  await page.keyboard.press("u");
  await arrived(page, 1);
  await saved(page, "Taken back");
  assert.deepEqual(await pressed(page), []);
  assert.match(await page.locator("#far").innerText(), /^0 of 5/);
  // A mind is changed twice, and all of it is told.
  await page.keyboard.press("3");
  await arrived(page, 2);
  await page.keyboard.press("p");
  await arrived(page, 1);
  assert.deepEqual(await pressed(page), ["3"]);
  await page.getByRole("button", { name: "Low" }).click();
  await arrived(page, 2);
  await saved(page, "Saved Low");
  await open(page, new URL(page.url()).pathname.replace(/\d+$/, sent.at(-1).get("task")));
  assert.deepEqual(await pressed(page), ["1"]);
  await page.getByText(/^Said \d times$/).click();
  await page.locator(".past-list li").nth(3).waitFor();
  // A comment that is changed is not lost when one goes on.
  await page.keyboard.press("c");
  await page.keyboard.type("on second thought");
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await arrived(page, 2);
  await saved(page, "Saved Low");
  assert.equal(sent.at(-1).get("comment"), "on second thought");
  // A comment without a grade waits for one.
  await page.keyboard.press("c");
  await page.keyboard.type("draft");
  await page.keyboard.press("Enter");
  await page.keyboard.press("n");
  await arrived(page, 3);
  await page.keyboard.press("p");
  await arrived(page, 2);
  assert.equal(await comment.inputValue(), "draft");
  await page.keyboard.press("2");
  await arrived(page, 3);
  await saved(page, "Saved Medium");
  assert.equal(sent.at(-1).get("comment"), "draft");
});

flow("what fails is tried again and counts once", { troubles: [/503|ERR_|Failed to load/] }, async (page, t, context) => {
  const { answers } = await as(context, "cleo");
  await open(page, `/batch/${answers}/next`);
  const names = [];
  let broken = 0;
  await page.route("**/judge", async (route) => {
    names.push(new URLSearchParams(route.request().postData()).get("request"));
    broken += 1;
    if (broken === 1) return route.abort("connectionreset");
    if (broken === 2) return route.fulfill({ status: 503, contentType: "application/json", body: '{"error":"one moment"}' });
    // It is kept, but nobody is told.
    if (broken === 3) { await route.fetch(); return route.abort("connectionreset"); }
    return route.continue();
  });
  await page.keyboard.press("2");
  await arrived(page, 2);
  await page.waitForFunction(() => !document.getElementById("again").hidden
    && document.getElementById("status").textContent.startsWith("Not saved: Medium, there is no connection"));
  // Nothing that was pressed is lost by going on.
  await page.keyboard.press("p");
  await arrived(page, 1);
  assert.deepEqual(await pressed(page), ["2"]);
  const warned = page.waitForEvent("dialog");
  page.evaluate(() => { location.href = "/guide"; }).catch(() => {});
  await (await warned).dismiss();
  // It goes on by itself.
  await saved(page, "Saved Medium");
  assert.equal(new Set(names).size, 1, "the same name each time");
  assert.equal(names.length, 4);
  await page.unroute("**/judge");
  await open(page, new URL(page.url()).pathname);
  assert.deepEqual(await pressed(page), ["2"]);
  assert.equal(await page.getByText(/^Said/).count(), 0, "it was counted once");
});

flow("who is signed out loses nothing", { troubles: [/401|Failed to load/] }, async (page, t, context) => {
  const { answers } = await as(context, "fay");
  await open(page, `/batch/${answers}/next`);
  await page.waitForLoadState("networkidle");
  await context.clearCookies();
  await page.keyboard.press("1");
  await arrived(page, 2);
  await page.waitForFunction(() => !document.getElementById("again").hidden
    && document.getElementById("status").textContent.includes("you are signed out"));
  // What cannot be loaded is told, too, and is there afterwards.
  await as(context, "fay");
  await saved(page, "Saved Low");
  await page.keyboard.press("p");
  await arrived(page, 1);
  assert.deepEqual(await pressed(page), ["1"]);
});

flow("pauses do not count", async (page, t, context) => {
  const { answers } = await as(context, "dora");
  await page.clock.install({ time: 0 });
  await open(page, `/batch/${answers}/next`);
  const sent = listen(page, "/judge");
  const wait = async (seconds) => {
    // Somebody moves the mouse now and then.
    for (let passed = 0; passed < seconds; passed += 10) {
      await page.mouse.move(passed % 100, 300);
      await page.clock.runFor(10_000);
    }
  };
  await wait(40);
  await page.keyboard.press("2");
  await arrived(page, 2);
  await wait(20);
  // Half an hour of nothing counts as a minute at most.
  await page.clock.runFor(1_800_000);
  await wait(20);
  await page.keyboard.press("2");
  await arrived(page, 3);
  await page.clock.runFor(1_000);
  const [busy, paused] = sent.map((fields) => Number(fields.get("seconds")));
  assert.ok(busy >= 39 && busy <= 43, `${busy} s of 40`);
  assert.ok(paused >= 39 && paused <= 103, `${paused} s of 20 + 20, and of the pause 60 at most`);
});

flow("formulas, post by post", async (page, t, context) => {
  const { formulas } = await as(context, "emil");
  await open(page, `/batch/${formulas}`);
  // The items with most posts are worth looking at.
  const links = await page.locator(".items a").evaluateAll((links) => links
    .map((link) => ({ href: link.getAttribute("href"), parts: link.querySelectorAll(".saids > span").length }))
    .sort((one, other) => other.parts - one.parts));
  await open(page, links[0].href);
  const count = await page.locator(".part").count();
  assert.equal(await page.locator(".part .hit").count(), count, "one formula is set off in each");
  assert.equal(await page.locator(".asked-pane .text .hit, .asked-pane .question-name .hit").count(), 1);
  if (count > 1) {
    await page.keyboard.press("j");
    assert.equal(await page.locator(".part.at").getAttribute("id"), await page.locator(".part").nth(1).getAttribute("id"));
    await page.keyboard.press("k");
    await page.keyboard.press("3");
    assert.equal(await page.locator(".part.at").getAttribute("id"), await page.locator(".part").nth(1).getAttribute("id"), "on to the next post");
  }
  const thread = context.waitForEvent("page");
  await page.keyboard.press("t");
  const opened = await thread;
  await opened.waitForLoadState();
  assert.match(opened.url(), /\/thread\/.*formula=/);
  assert.ok(await opened.locator(".thread .hit").count() > 0);
  assert.equal(await opened.evaluate(() => window.opener), null);
});

flow("two questions by keys", async (page, t, context) => {
  const { flags } = await as(context, "fay");
  await open(page, `/batch/${flags}/next`);
  const sent = listen(page, "/flag");
  const of = Number(await page.locator("#bar").getAttribute("max"));
  await page.keyboard.press("y");
  await page.getByText("One more question").waitFor();
  assert.equal(sent.length, 0);
  await page.keyboard.press("n");
  if (of > 1) await saved(page, "Saved");
  else await page.waitForURL(/\/batch\//);
  assert.equal(sent.length, 1);
  assert.equal(sent[0].get("machine"), "yes");
  assert.equal(sent[0].get("unrelated"), "no");
});

const iphone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

flow("on a phone the grades are within reach", iphone, async (page, t, context) => {
  const { answers } = await as(context, "gus");
  await open(page, `/batch/${answers}/next`);
  const high = page.getByRole("button", { name: "High" });
  const box = await high.boundingBox();
  assert.ok(box.y > 600 && box.y + box.height <= 844 && box.height >= 40, JSON.stringify(box));
  await page.getByText(/^Question A/).tap();
  assert.equal(await page.locator(".fold:not(.rules)").evaluate((fold) => fold.open), false);
  await high.tap();
  await arrived(page, 2);
  await saved(page, "Saved High");
  assert.equal(await page.locator(".fold:not(.rules)").evaluate((fold) => fold.open), false, "it stays folded");
  await page.getByRole("button", { name: "Undo" }).tap();
  await arrived(page, 1);
});

for (const [name, options] of [
  ["wide, light", { viewport: { width: 1366, height: 850 }, colorScheme: "light" }],
  ["wide, dark", { viewport: { width: 1366, height: 850 }, colorScheme: "dark" }],
  ["phone", { ...iphone, viewport: { width: 360, height: 740 } }],
]) {
  flow(`every page is for everybody: ${name}`, { ...options, reducedMotion: "reduce" }, async (page, t, context) => {
    const { answers, formulas, flags } = await as(context, "hana");
    const all = [];
    for (const path of ["/", `/batch/${answers}`, `/batch/${answers}/next`, `/batch/${formulas}/next`, `/batch/${flags}/next`, "/guide", "/thread/1"]) {
      await open(page, path);
      for (const details of await page.locator("details.note summary, details.give summary").all()) {
        if (await details.isVisible()) await details.click();
      }
      for (const finding of await findings(page)) all.push(`${path}: ${finding}`);
      assert.ok(await overflow(page) <= 0, `${path} is ${await overflow(page)} pixels too wide`);
    }
    assert.deepEqual(all, []);
  });
}

flow("without scripts", { javaScriptEnabled: false }, async (page, t, context) => {
  const { answers } = await as(context, "gus");
  await open(page, `/batch/${answers}/next`);
  const before = await page.locator(".place").first().innerText();
  await page.getByRole("button", { name: "Low" }).click();
  await page.waitForURL(/\/task\//);
  assert.notEqual(await page.locator(".place").first().innerText(), before);
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await page.locator(".place").first().innerText(), before);
  await page.getByRole("button", { name: "Skip" }).click();
  assert.notEqual(await page.locator(".place").first().innerText(), before);
});
