import { expect } from "../fixtures.ts";
import { test } from "../operator/operator-fixtures.ts";

// docs/spec/portal.md, Pages: the filters of lists.

test("on a phone, filters are closed, show how many are in effect, and open without JavaScript", async ({
  browser,
  signInAnother,
  sandboxUrl,
}) => {
  const context = await browser.newContext({
    baseURL: sandboxUrl,
    viewport: { width: 390, height: 844 },
    javaScriptEnabled: false,
  });
  await signInAnother(context);
  const page = await context.newPage();
  await page.goto("/wallet/activity?kind=charge&from=2026-11-01&to=2026-11-30");
  const show = page.getByLabel("Status");
  await expect(show).toBeHidden();
  await page.getByText("Filters (2)", { exact: true }).click();
  await expect(page.getByLabel("Kind")).toHaveValue("charge");
  await show.selectOption("Paid");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await expect(page).toHaveURL(/show=paid/);
  await expect(page.getByText("Filters (3)", { exact: true })).toBeVisible();
  await expect(show).toBeHidden();
  await page.goto("/wallet/activity?from=2026-11-30&to=2026-11-01");
  await expect(page.getByText("The end can’t be before the start.")).toBeVisible();
  await context.close();
});

for (const width of [700, 1280, 1440]) {
  test(`at ${width} px, filters are open, and their button isn't alone on a line`, async ({ console: page }) => {
    await page.setViewportSize({ width, height: 900 });
    for (const list of ["charges", "disputes", "invoices", "audit", "clients", "merchants", "outbox"]) {
      await page.goto(`/operator/${list}?from=2026-11-01`);
      const form = page.getByRole("search");
      await expect(form.getByText(/^Filters/)).toBeHidden();
      const button = await form.getByRole("button", { name: "Filter", exact: true }).boundingBox();
      const fields = await form.locator("input:visible, select:visible").all();
      const last = await fields.at(-1)?.boundingBox();
      expect(Math.abs((last?.y ?? 0) - (button?.y ?? 99)), list).toBeLessThan(8);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), list).toBeLessThanOrEqual(width);
    }
  });
}
