import { expect, expectGoodLooks, test } from "../fixtures.ts";

test("the price list shows every public plan, and the calculator compares their costs (docs/spec/billing.md, Pricing page)", async ({
  page,
}) => {
  await page.goto("/pricing");
  await expect(page.getByRole("heading", { level: 1, name: "Pricing" })).toBeVisible();
  await expect(page).toHaveTitle("Pricing · Paygrant");
  const pro = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Pro" }) });
  await expect(pro).toContainText("€49.00 per month, plus usage");
  await expect(pro).toContainText("0.29% of the amount");
  const results = page.getByRole("region", { name: "Estimated monthly costs" });
  const usage = page.getByRole("form", { name: "Monthly usage" });
  await usage.getByLabel("Successful charges").fill("1,000");
  await usage.getByLabel("Average payment").fill("100.00");
  await usage.getByLabel("Tokens issued").fill("20000");
  for (const name of ["Verifications", "Active mandates"]) await usage.getByLabel(name).fill("");
  // Pro: €49.00, 10,000 tokens at €0.008 and 1,000 charges at €0.29.
  const result = results.getByRole("group").filter({ hasText: "Pro" });
  await expect(result.locator("summary")).toContainText("€419.00 per month");
  await result.locator("summary").click();
  await expect(result.getByRole("row", { name: "Tokens issued 20,000 €80.00" })).toBeVisible();
  await expectGoodLooks(page, "pricing");

  await usage.getByLabel("Tokens issued").fill("1.5");
  await expect(page.getByText("Enter a whole number of at most 1,000,000,000.")).toBeVisible();
  await expect(result.locator("summary")).toContainText("€419.00");
  await page.getByRole("link", { name: "USD" }).click();
  await expect(page).toHaveURL(/currency=USD/);
  await expect(pro).toContainText("per month, plus usage");
});

test("many currencies wrap on a narrow screen (docs/spec/billing.md, Pricing page)", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto("/pricing");
  const currencies = page.getByRole("navigation", { name: "Currency" });
  await currencies.evaluate((list) => {
    for (let more = 0; more < 8; more += 1) list.append(list.firstElementChild?.cloneNode(true) ?? "");
  });
  await expect(currencies.getByRole("link", { name: "EUR" }).last()).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
