// A lab in the hands of three people, from the first link to the report: an organiser joins, follows the checklist,
// invites two assessors, trains them and makes batches; they judge all of it by keys; the organiser decides where
// they disagree, looks at their agreement, and makes qrels and the report.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { findings, flow, overflow, shoot, site } from "../support.mjs";

const first = process.env.HYPATIA_FIRST;
const told = process.env.HYPATIA_TOLD;
const lab = process.env.HYPATIA_LAB;
const program = process.env.HYPATIA_PROGRAM;
assert.ok(first && told, "HYPATIA_FIRST is the first organiser's link, HYPATIA_TOLD where to tell what was done");
assert.ok(lab && program, "HYPATIA_LAB is the folder of the lab, HYPATIA_PROGRAM the program that serves it");

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

/** The step of the checklist that is next, and the steps that are done. */
async function checklist(page) {
  await page.goto(`${site}/desk`);
  const names = (state) => page.locator(`.checklist li.${state} > b`).allInnerTexts();
  return { next: (await names("next")).join(), done: await names("done") };
}

/** A page as people with large and small screens have it: pictures if they are wanted, and nothing to trip over. */
async function fits(page, name) {
  for (const [width, height] of [[390, 844], [1280, 900]]) {
    await page.setViewportSize({ width, height });
    await shoot(page, `${name}-${width}`);
    assert.ok(await overflow(page) <= 0, `${name} is ${await overflow(page)} pixels too wide at ${width}`);
    assert.deepEqual(await findings(page), [], `${name} at ${width}`);
  }
}

async function makeRound(page) {
  await page.goto(`${site}/desk/school`);
  await page.getByLabel("A round of training for assessors").check();
  await page.locator("select[name=source]").selectOption("answers/given/2025");
  await page.locator("input[name=how_many]").fill("2");
  await page.locator("input[name=per_topic]").fill("4");
  await page.getByRole("button", { name: "Make the lesson" }).click();
  await page.locator(".news").waitFor();
}

/** Judges a round of training, which is all that somebody in training is given. */
async function train(page, style) {
  const done = empty();
  for (;;) {
    await page.goto(`${site}/school`);
    const begin = page.getByRole("button", { name: /^(Begin|Go on)/ });
    if (await begin.count() === 0) break;
    await begin.click();
    await page.waitForURL(/\/task\//);
    while (/\/task\//.test(page.url())) await item(page, style, done);
    await page.getByText(/All of it is judged/).waitFor();
  }
  await page.getByText("The results are not open yet").waitFor();
  return done;
}

/** Opens the results of the round, so that those who judged it see what is known. */
async function openRound(page, people) {
  await page.goto(`${site}/desk/school`);
  await page.getByRole("link", { name: "Round 1, answers" }).click();
  await page.getByRole("button", { name: "Open the results" }).click();
  await page.locator(".news").waitFor();
  await fits(page, "training");
  for (const { mine } of people) {
    await mine.goto(`${site}/school`);
    await mine.getByRole("link", { name: "See the results" }).click();
    await mine.getByRole("rowheader", { name: "what is known" }).waitFor();
    assert.equal(await mine.getByRole("listitem").locator("h3").count(), 8, "two topics with four items each");
  }
}

/** Decides by keys what the assessors disagree on, without knowing who said what. */
async function decideAll(page) {
  await page.goto(`${site}/desk/disagreements`);
  await page.getByRole("link", { name: "Decide them one after the other" }).click();
  let decided = 0;
  while (/\/desk\/adjudicate\//.test(page.url())) {
    const { href } = new URL(page.url());
    assert.deepEqual(await page.locator(".opinions b").allInnerTexts(), ["First", "Second"]);
    if (decided === 0) await fits(page, "adjudication");
    await Promise.all([page.waitForURL((url) => url.href !== href), page.keyboard.press("2")]);
    decided += 1;
  }
  await page.getByText("All of these are decided").waitFor();
  return decided;
}

/** Lets the program work on the lab while its pages are open. */
function command(name, ...options) {
  execFileSync(program, ["lab", name, lab, ...options], { stdio: ["ignore", "ignore", "inherit"] });
}

const empty = () => ({ grades: {}, unknown: 0, flags: 0, batches: 0 });

/** What the page shows: the item, how many things are judged on it, and which of them next. */
const state = (page) => page.evaluate(() => ({
  task: Number(document.getElementById("sheet").dataset.task),
  asks: document.getElementById("sheet").dataset.asks,
  parts: [...document.querySelectorAll(".part")].map((part) => ({ part: Number(part.dataset.part), said: part.dataset.said })),
}));

/** Judges batch after batch until none is left, and tells what was pressed. */
async function judgeAll(page, style) {
  const done = empty();
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
    if (style.shoots && done.batches === 1) await fits(page, `judging-${(await state(page)).asks}`);
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

flow("a lab from the first link to its report", async (page, t, context) => {
  await join(page, first, "hypatia", "/desk");
  assert.deepEqual(await checklist(page), { next: "People", done: ["Topics", "Runs", "Pools"] });
  await fits(page, "desk-first");
  const links = [await invite(page, "Ada"), await invite(page, "Bob")];
  const people = await Promise.all(["ada", "bob"].map(async (name, at) => {
    const own = await context.browser().newContext({ viewport: { width: 1366, height: 850 } });
    own.setDefaultTimeout(300_000);
    const mine = await own.newPage();
    await join(mine, links[at], name, "/");
    return { name, mine, own };
  }));
  const styles = [{ kind: 0, unsure: true, shoots: true }, { kind: 1, suspicious: true }];

  await makeRound(page);
  assert.equal((await checklist(page)).next, "Training");
  const trained = await Promise.all(people.map(({ mine }, at) => train(mine, styles[at])));
  await openRound(page, people);
  assert.equal((await checklist(page)).next, "Batches");

  await makeBatches(page, "answers", "10");
  await makeBatches(page, "formulas", "0");
  assert.equal((await checklist(page)).next, "Judging");
  const graded = await Promise.all(people.map(({ mine }, at) => judgeAll(mine, styles[at])));
  await makeBatches(page, "flags", "10");
  const asked = await Promise.all(people.map(({ mine }, at) => judgeAll(mine, styles[at])));

  assert.equal((await checklist(page)).next, "Qrels");
  const pairs = await page.locator("section[aria-labelledby=agreement] tbody th").allInnerTexts();
  assert.ok(pairs.length > 0 && pairs.every((pair) => pair.includes("ada") && pair.includes("bob")), pairs.join());
  await fits(page, "desk");
  const decided = await decideAll(page);

  command("qrels");
  assert.equal((await checklist(page)).next, "Report");
  command("report");
  await checklist(page);
  assert.equal(await page.locator("#checklist").count(), 0, "when all is done there is no checklist");

  // A link works once.
  const stranger = await context.browser().newContext();
  const answer = await (await stranger.newPage()).goto(links[0]);
  assert.equal(answer.status(), 404);
  // The report is a file, which no server is needed for.
  const report = await stranger.newPage();
  await report.goto(pathToFileURL(path.join(lab, "report/index.html")).href);
  await report.getByRole("heading", { name: "Inter-assessor agreement" }).or(report.getByText("ada")).first().waitFor();
  await fits(report, "report");
  await stranger.close();
  await Promise.all(people.map(({ own }) => own.close()));
  writeFileSync(told, JSON.stringify({ trained, graded, asked, decided }));
});
