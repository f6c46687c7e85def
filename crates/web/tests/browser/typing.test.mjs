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
