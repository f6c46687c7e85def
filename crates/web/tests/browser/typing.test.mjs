// What is typed is drawn at once, and a mistake is shown at its place.
import assert from "node:assert/strict";
import { box, flow, formulaRow, open, preview } from "./support.mjs";

flow("formulas are drawn while they are typed", async (page) => {
  await open(page, "/");
  await box(page).pressSequentially("roots of $x^2+1$");
  const drawn = preview(page).locator("math").first();
  await drawn.waitFor();
  await preview(page).locator("math msup").first().waitFor();
  // The newest text wins, however fast one types.
  await box(page).pressSequentially(" and $\\sqrt{y}$", { delay: 5 });
  await preview(page).locator("math msqrt").first().waitFor();
  // Half of it may have been drawn before.
  await preview(page).locator("math").nth(1).waitFor();
  assert.equal(await preview(page).locator("math").count(), 2);
});

flow("a mistake is underlined where it is, and told", async (page) => {
  await open(page, "/");
  await box(page).fill("$\\frac{a}{b$");
  const mistake = preview(page).locator("mark.mistake").first();
  await mistake.waitFor();
  const line = await mistake.evaluate((mark) => getComputedStyle(mark).textDecorationLine);
  assert.match(line, /underline/);
  // It can be heard, too.
  const told = preview(page).locator("[aria-live=polite]");
  assert.match(await told.innerText(), /\S+ \S+/);
  await box(page).fill("$\\frac{a}{b}$");
  await mistake.waitFor({ state: "detached" });
});

flow("the formula row is drawn, too", async (page) => {
  await open(page, "/");
  await page.getByText("Formula and symbols").click();
  await formulaRow(page).fill("\\int_0^1 f");
  await preview(page).locator("math msubsup").first().waitFor();
});

flow("symbols are found by what people call them, and completed by a beginning", async (page) => {
  await open(page, "/");
  await page.getByText("Formula and symbols").click();
  await page.getByRole("textbox", { name: "Find a symbol" }).fill("for all");
  const symbol = page.locator("#palette li:not([hidden]) button").first();
  await symbol.waitFor();
  await symbol.click();
  assert.match(await formulaRow(page).inputValue(), /\\forall/);
  await formulaRow(page).fill("");
  await formulaRow(page).pressSequentially("\\sqr");
  const options = page.getByRole("option");
  await options.first().waitFor();
  await formulaRow(page).press("Enter");
  assert.match(await formulaRow(page).inputValue(), /^\\sqrt/);
  assert.match(page.url(), /\/$/, "Enter chose, and did not search");
});

/** The text of a field with bars around what is selected. */
const caret = (field) => field.evaluate(({ value, selectionStart: from, selectionEnd: to }) =>
  `${value.slice(0, from)}|${from === to ? "" : `${value.slice(from, to)}|`}${value.slice(to)}`);

async function insertSymbol(page, name) {
  const seek = page.getByRole("textbox", { name: "Find a symbol" });
  await seek.fill(name);
  await page.locator("#palette li:not([hidden]) button").first().click();
}

flow("Tab goes through the slots of what was inserted", async (page) => {
  await open(page, "/");
  await page.getByText("Formula and symbols").click();
  const field = formulaRow(page);
  await insertSymbol(page, "fraction over");
  assert.equal(await caret(field), "\\frac{|}{}");
  await page.keyboard.type("a+b");
  await page.keyboard.press("Tab");
  assert.equal(await caret(field), "\\frac{a+b}{|}");
  // One in another: first its own slots, then those around it.
  await insertSymbol(page, "square root");
  assert.equal(await caret(field), "\\frac{a+b}{\\sqrt{|}}");
  await page.keyboard.type("c");
  await page.keyboard.press("Tab");
  assert.equal(await caret(field), "\\frac{a+b}{\\sqrt{c}|}");
  await page.keyboard.press("Tab");
  assert.equal(await caret(field), "\\frac{a+b}{\\sqrt{c}}|");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await caret(field), "\\frac{a+b}{|\\sqrt{c}|}");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await caret(field), "\\frac{|a+b|}{\\sqrt{c}}");
  await page.keyboard.type("d");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await caret(field), "\\frac{d}{\\sqrt{c}}|");
  // No slot is left: Tab leaves the field, and so does Shift-Tab when one comes back.
  await page.keyboard.press("Tab");
  assert.ok(!(await field.evaluate((row) => row === document.activeElement)));
  await page.keyboard.press("Shift+Tab");
  assert.ok(await field.evaluate((row) => row === document.activeElement));
  await page.keyboard.press("Shift+Tab");
  assert.ok(!(await field.evaluate((row) => row === document.activeElement)));
});

flow("in the box, Tab leads behind the dollars", async (page) => {
  await open(page, "/");
  await box(page).focus();
  await page.keyboard.type("mean ");
  await page.keyboard.type("$\\fra");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Tab");
  assert.match(await caret(box(page)), /^mean \$\\frac\{\|\}\{\}$/);
  await page.keyboard.type("1");
  await page.keyboard.press("Tab");
  await page.keyboard.type("2");
  await page.keyboard.press("Tab");
  assert.equal(await caret(box(page)), "mean $\\frac{1}{2}|");
  await box(page).fill("");
  await page.getByText("Formula and symbols").click();
  await box(page).focus();
  await insertSymbol(page, "matrix in parentheses");
  for (const letter of "abcd") {
    await page.keyboard.type(letter);
    await page.keyboard.press("Tab");
  }
  assert.equal(await caret(box(page)), "$\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}$|");
});

flow("Tab is as always where nothing was inserted", async (page) => {
  await open(page, "/");
  await box(page).fill("$\\frac{}{}$");
  await box(page).evaluate((field) => field.setSelectionRange(7, 7));
  await page.keyboard.press("Tab");
  assert.ok(!(await box(page).evaluate((field) => field === document.activeElement)));
});
