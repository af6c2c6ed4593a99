import { expect, expectGoodLooks, makeBrowserPayer, signInBySession } from "../fixtures.ts";
import { addCredit, addSpend } from "./billing-spend.fixture.ts";
import { join, test } from "./merchant-fixtures.ts";

test("a member sees what the period costs so far, a forecast and spend by meter (docs/spec/billing.md, Spend)", async ({
  dashboard: page,
  member,
}) => {
  await addSpend(member.merchantId);
  await page.goto("/merchant/billing");
  // 49.00 flat fee, and 120 texts at 0.25.
  await expect(page.getByText("So far (EUR)").locator("..")).toContainText("€79.00");
  await expect(page.getByText("Linear forecast (EUR)")).toBeVisible();
  const chart = page.getByRole("figure", { name: "Spend by meter (EUR)" });
  await chart.getByText("Show as a table").click();
  await expect(chart.getByRole("columnheader")).toHaveText([
    "Date",
    "Flat fee",
    "sms",
    "Successful charges",
    "Tokens issued",
  ]);
  // The last row can be a month that has begun in the reader's time zone only.
  await expect(chart.getByRole("row").filter({ hasText: "€49.00€30.00" })).toHaveCount(1);
  await expectGoodLooks(page, "merchant-billing-spend");
  await page.getByRole("navigation", { name: "Range" }).getByRole("link", { name: "6 months" }).click();
  await expect(page).toHaveURL(/months=6/);
  await expect(chart.getByRole("row")).toHaveCount(7);
});

test("a member opens a window of a meter and sees its events (docs/spec/billing.md, Usage explorer)", async ({
  dashboard: page,
  member,
}) => {
  // The page keeps the chosen days when the time zone changes. In Asia/Kolkata, the next day may already have begun.
  await addSpend(member.merchantId, { daysAgo: 1 });
  await page.goto("/merchant/billing/usage");
  await expect(page.getByRole("heading", { name: "No usage" })).toBeVisible();
  await page.getByLabel("Meter").selectOption({ label: "sms" });
  await page.getByLabel("Time zone").fill("Moon/Base");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByText("Unknown time zone.")).toBeVisible();
  await page.getByLabel("Time zone").fill("Asia/Kolkata");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByRole("figure", { name: "sms" })).toContainText("120 in this period. Time zone: Asia/Kolkata.");
  const windows = page.getByRole("table", { name: "Windows with usage" });
  await windows.getByRole("link").first().click();
  const events = page.getByRole("table", { name: "Events" });
  await expect(events.getByRole("row").filter({ hasText: "customer-42" })).toHaveCount(3);
  await expect(events.getByRole("row").last()).toContainText("shop: uev_e2e");
  await expectGoodLooks(page, "merchant-usage");
});

test("an owner creates, changes and deletes a budget alert (docs/spec/billing.md, Budget alerts)", async ({
  dashboard: page,
  member,
}) => {
  await addSpend(member.merchantId);
  await page.goto("/merchant/billing/alerts");
  await expectGoodLooks(page, "merchant-alerts-empty");
  await page.getByRole("link", { name: "Add an alert" }).click();
  await page.getByLabel("Name").fill("Monthly budget");
  await page.getByLabel("a percentage of a budget").check();
  await page.getByLabel("Budget per period").fill("fifty");
  await page.getByRole("textbox", { name: "Percentage" }).fill("80.5");
  await page.getByRole("button", { name: "Add alert" }).click();
  await expect(page.getByText("Enter a whole number from 1 to 1000.")).toBeVisible();
  await expectGoodLooks(page, "merchant-alert-form");
  await expect(page.getByLabel("Name")).toHaveValue("Monthly budget");
  await page.getByLabel("Budget per period").fill("90");
  await page.getByRole("textbox", { name: "Percentage" }).fill("80");
  await page.getByRole("button", { name: "Add alert" }).click();
  const row = page.getByRole("row").filter({ hasText: "Monthly budget" });
  await expect(row).toContainText("€72.00");
  await expect(row).toContainText("80% of €90.00");
  // The period costs 79.00, so a worker sends the alert at its next check.
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText("Cost: €79.00", { timeout: 500 });
  }).toPass();
  await expectGoodLooks(page, "merchant-alerts");

  await row.getByRole("link", { name: "Monthly budget" }).click();
  await page.getByLabel("an amount").check();
  await page.getByRole("textbox", { name: "Amount" }).fill("500");
  await page.getByLabel("Webhook event").uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("€500.00");
  await row.getByRole("link", { name: "Monthly budget" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete alert" }).click();
  await expect(page.getByRole("heading", { name: "No budget alerts yet" })).toBeVisible();
});

test("a member reads the credits, and reads and downloads the ledger (docs/spec/billing.md, Merchant pages)", async ({
  dashboard: page,
  member,
}) => {
  await page.goto("/merchant/billing/credits");
  await expect(page.getByRole("heading", { name: "No credits yet" })).toBeVisible();
  const creditId = await addCredit(member.merchantId);
  await page.goto("/merchant/billing/ledger");
  const entries = page.getByRole("table", { name: "Entries" });
  await expect(entries.getByRole("row").filter({ hasText: "Prepaid and promotional credit" })).toContainText(
    "€100.00 credit",
  );
  await expectGoodLooks(page, "merchant-ledger");
  await page.getByRole("table", { name: "Balances" }).getByRole("link", { name: "Cash" }).click();
  await expect(page).toHaveURL(/account=cash&currency=EUR/);
  await expect(entries.getByRole("row")).toHaveCount(2);
  const href = await page.getByRole("link", { name: "Export CSV" }).getAttribute("href");
  const csv = await page.request.get(href ?? "");
  expect(csv.headers()["content-disposition"]).toContain("ledger.csv");
  expect(await csv.text()).toMatch(/^\ufeffEntry ID,.*\r\nlent_.*,cash,debit,EUR,100\.00,100\.00,posted,credit_grant,/);
  const foreign = await page.request.get("/merchant/billing/ledger/export.csv?merchant=mch_another");
  expect(foreign.status()).toBe(404);
  await entries.getByRole("link", { name: creditId }).click();
  await expect(page.getByRole("row").filter({ hasText: creditId })).toContainText("Available");
  await expectGoodLooks(page, "merchant-credits");
});

test("a viewer reads budget alerts and can't change them (docs/spec/billing.md, Budget alerts)", async ({
  member,
  browser,
  sandboxUrl,
}) => {
  const viewer = await makeBrowserPayer();
  await join(viewer, member.merchantId, "viewer");
  const context = await browser.newContext({ baseURL: sandboxUrl });
  await signInBySession(context, viewer, { baseUrl: sandboxUrl });
  const page = await context.newPage();
  await page.goto("/merchant/billing/alerts");
  await expect(page.getByRole("heading", { name: "No budget alerts yet" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Add an alert" })).toHaveCount(0);
  expect((await page.goto("/merchant/billing/alerts/new"))?.status()).toBe(404);
  await context.close();
});
