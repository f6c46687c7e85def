// A lab judged by two people through its own pages, from the first link to the last judgment: an organiser
// joins, invites them and makes batches; they judge all of it by keys; then come the questions afterwards.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { flow, site } from "../support.mjs";

const first = process.env.HYPATIA_FIRST;
const told = process.env.HYPATIA_TOLD;
assert.ok(first && told, "HYPATIA_FIRST is the first organiser's link, HYPATIA_TOLD where to tell what was done");

const PASSWORD = "nine bridges and a kettle";
const GRADES = ["0", "1", "2", "3"];

/** Joins by a link; organisers land on their desk, assessors on their batches. */
async function join(page, link, name, lands) {
  await page.goto(link);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("The same password again").fill(PASSWORD);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  assert.equal(new URL(page.url()).pathname, lands);
}

async function invite(page, recipient) {
  await page.goto(`${site}/desk/people`);
  await page.getByLabel("Whom it is for").fill(recipient);
  await page.getByRole("button", { name: "Make a link" }).click();
  return page.locator("#link").inputValue();
}

async function makeBatches(page, what, again) {
  await page.goto(`${site}/desk/batches`);
  await page.getByLabel("What").selectOption(what);
  await page.getByLabel("Judged again, in percent").fill(again);
  await page.getByRole("button", { name: "See what would be made" }).click();
  await page.getByRole("button", { name: /^Make \d+ batches$/ }).click();
  await page.getByRole("status").or(page.locator(".news, .flash")).first().waitFor();
}

/** What the page shows: the item, how many things are judged on it, and which of them next. */
const state = (page) => page.evaluate(() => ({
  task: Number(document.getElementById("sheet").dataset.task),
  asks: document.getElementById("sheet").dataset.asks,
  parts: [...document.querySelectorAll(".part")].map((part) => ({ part: Number(part.dataset.part), said: part.dataset.said })),
}));

/** Judges batch after batch until none is left, and tells what was pressed. */
async function judgeAll(page, style) {
  const done = { grades: {}, unknown: 0, flags: 0, batches: 0, undone: 0 };
  for (;;) {
    await page.goto(`${site}/`);
    const next = page.getByRole("button", { name: /Take the next batch/ });
    if (await next.count() === 0 || await next.isDisabled()) return done;
    await next.click();
    // Somebody else may have taken the last one.
    await page.waitForURL((url) => url.pathname !== "/take");
    if (!/\/task\//.test(page.url())) {
      if (new URL(page.url()).pathname === "/") return done;
      continue;
    }
    done.batches += 1;
    while (/\/task\//.test(page.url())) await item(page, style, done);
    await page.getByText(/All of it is judged/).waitFor();
  }
}

async function item(page, style, done) {
  const { task, asks, parts } = await state(page);
  const left = () => page.waitForFunction((task) => {
    const sheet = document.getElementById("sheet");
    return !sheet || Number(sheet.dataset.task) !== task;
  }, task);
  if (asks === "flags") {
    await page.keyboard.press("n");
    await page.keyboard.press(style.suspicious && task % 3 === 0 ? "y" : "n");
    done.flags += 1;
    return left();
  }
  for (const [at, { part, said }] of parts.entries()) {
    if (said) continue;
    const last = at === parts.length - 1;
    const saidSo = (verdict) => page.waitForFunction(([part, verdict]) => {
      const here = document.querySelector(`.part[data-part="${part}"]`);
      return !here || here.dataset.said === verdict;
    }, [part, verdict]);
    // The last one of a page is pressed once: the page goes on at once.
    if (style.unsure && part % 23 === 0) {
      await page.keyboard.press("d");
      await page.keyboard.type("I never learned this.");
      await page.keyboard.press("Enter");
      done.unknown += 1;
      if (!last) await saidSo("unknown");
      continue;
    }
    const grade = GRADES[(part * 7 + style.kind) % 4];
    await page.keyboard.press(grade);
    done.grades[grade] = (done.grades[grade] ?? 0) + 1;
    if (!last) await saidSo(grade);
  }
  return left();
}

flow("two people judge a lab, from the link to the last question", async (page, t, context) => {
  await join(page, first, "hypatia", "/desk");
  const links = [await invite(page, "Ada"), await invite(page, "Bob")];
  await makeBatches(page, "answers", "10");
  await makeBatches(page, "formulas", "0");

  const people = await Promise.all(["ada", "bob"].map(async (name, at) => {
    const own = await context.browser().newContext({ viewport: { width: 1366, height: 850 } });
    own.setDefaultTimeout(300_000);
    const mine = await own.newPage();
    await join(mine, links[at], name, "/");
    return { name, mine, own };
  }));
  const styles = [{ kind: 0, unsure: true }, { kind: 1, suspicious: true }];
  const graded = await Promise.all(people.map(({ mine }, at) => judgeAll(mine, styles[at])));

  await page.goto(`${site}/desk`);
  await page.getByText("ada").first().waitFor();
  await page.getByText("bob").first().waitFor();

  await makeBatches(page, "flags", "10");
  const asked = await Promise.all(people.map(({ mine }, at) => judgeAll(mine, styles[at])));

  // A link works once.
  const stranger = await context.browser().newContext();
  const answer = await (await stranger.newPage()).goto(links[0]);
  assert.equal(answer.status(), 404);
  await stranger.close();
  await Promise.all(people.map(({ own }) => own.close()));
  writeFileSync(told, JSON.stringify({ graded, asked }));
});
