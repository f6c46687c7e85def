// What all tests share: a browser with a fresh profile, and pages that are watched while they are used.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

export const site = process.env.HYPATIA_SITE;
assert.ok(site, "HYPATIA_SITE names the server");
/** The same with a language model. */
export const modelSite = process.env.HYPATIA_MODEL_SITE;
/** A small one with everything that can be too wide for a screen. */
export const wideSite = process.env.HYPATIA_WIDE_SITE;

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage"],
    timeout: 300_000,
  });
});
after(() => browser?.close());

/**
 * A test with a page of its own. Whatever it does, at the end there must have been no error of a script, no
 * breach of the content policy, no request to another host and no answer of the server's that says it failed.
 */
export function flow(name, options, steps) {
  if (typeof options === "function") [options, steps] = [{}, options];
  test(name, { timeout: 900_000 }, async (t) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    // Only what never happens runs into these limits, on however slow a machine.
    context.setDefaultTimeout(300_000);
    const troubles = [];
    await context.exposeFunction("hypatiaTrouble", (text) => troubles.push(text));
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        window.hypatiaTrouble(`content policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
      });
    });
    // A browser without scripts does not tell the page, but it does tell its console.
    context.on("console", (message) => {
      if (message.type() === "error") troubles.push(`console: ${message.text()}`);
    });
    context.on("weberror", (error) => troubles.push(`script: ${error.error()}`));
    context.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (![site, modelSite, wideSite].includes(origin) && protocol !== "data:" && protocol !== "blob:") troubles.push(`asked ${request.url()}`);
    });
    context.on("response", (response) => {
      if (response.status() >= 500) troubles.push(`${response.status()} from ${response.url()}`);
    });
    const page = await context.newPage();
    try {
      await steps(page, t, context);
    } finally {
      await context.close();
    }
    const allowed = options.troubles ?? [];
    assert.deepEqual(troubles.filter((text) => !allowed.some((pattern) => pattern.test(text))), []);
  });
}

/** Opens a path of the site; anything but a success fails. */
export async function open(page, path) {
  const answer = await page.goto(site + path);
  assert.equal(answer.status(), 200, `${path} is answered with ${answer.status()}`);
  return answer;
}

/** The parts of a page that tests speak of, by what they are to people. */
export const box = (page) => page.getByRole("searchbox", { name: "Search for words and formulas" });
export const formulaRow = (page) => page.getByRole("textbox", { name: "Formula", exact: true });
export const results = (page) => page.getByRole("list", { name: "Results" });
export const hits = (page) => page.locator(".results > li");
export const tab = (page, name) => page.getByRole("navigation", { name: "Views" }).getByRole("link", { name });
export const preview = (page) => page.getByRole("region", { name: "Preview" });
export const reply = (page) => page.getByRole("region", { name: "A possible answer" });
export const filters = (page) => page.getByRole("region", { name: "Filters" });

/** How many results the line above them names. */
export async function total(page) {
  const text = await page.locator(".summary").innerText();
  const number = /[\d\s,.]*\d/.exec(text);
  assert.ok(number, `no number in "${text}"`);
  return Number(number[0].replace(/\D/g, ""));
}

/** Searches by typing into the box. */
export async function search(page, text) {
  await box(page).fill(text);
  await box(page).press("Enter");
  // The page may have been one of results before.
  await page.waitForURL((url) => url.pathname === "/search" && url.searchParams.get("q") === text);
}

/** Serious findings of axe on the page as it stands; of some rules only, if they are named. */
export async function findings(page, rules) {
  // As the debugger does it, so that the content policy of the page stays as it is.
  await page.evaluate(axe);
  const found = await page.evaluate((values) => {
    const some = values ? { runOnly: { type: "rule", values } } : {};
    return window.axe.run(document, { resultTypes: ["violations"], ...some });
  }, rules);
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.slice(0, 3).map(({ html, any }) =>
      `${html.slice(0, 160)} ${any[0]?.message ?? ""}`).join(" | ")}`);
}

/** By how many pixels the page is wider than its window. */
export function overflow(page) {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

/** A picture of the whole page, for people who want to look at it: HYPATIA_SHOTS names the folder. */
export async function shoot(page, name) {
  const folder = process.env.HYPATIA_SHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** The pages of the site, by name; those of a formula and a post are looked up. */
export async function everyPage(page) {
  const formula = await firstFormula(page);
  return {
    home: "/",
    threads: "/search?q=square+root+%24x%5E2%24",
    posts: "/search?q=square+root+%24x%5E2%24&view=posts",
    formulas: "/search?f=x%5E2&view=formulas",
    nothing: "/search?q=zzzzqqqq",
    mistake: "/search?q=%24%5Cfrac%7Ba%24",
    empty: "/search",
    formula,
    thread: await address(page, "/thread/"),
    post: (await address(page, "/thread/")).replace("/thread/", "/post/").replace(/[?#].*/, ""),
    ask: "/ask",
    asked: "/ask?title=Why+is+the+square+root+of+two+irrational%3F&body=I+know+that+%24%5Csqrt+2%24+is.",
    answer: "/answer?q=Why+is+the+square+root+of+two+irrational%3F&system=hypatia-extract&system=first-answer",
    noAnswer: "/answer",
    help: "/help",
    api: "/api",
  };
}

/** The address of a formula's page, taken from a search. */
export async function firstFormula(page) {
  await open(page, "/search?f=x%5E2&view=formulas");
  return page.locator('.results a[href^="/formula/"]').first().getAttribute("href");
}

async function address(page, start) {
  await open(page, "/search?q=square+root+%24x%5E2%24");
  return page.locator(`.results a[href^="${start}"]`).first().getAttribute("href");
}
