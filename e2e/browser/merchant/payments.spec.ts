import type { Page } from "@playwright/test";
import { charge, makeChargeableMandate } from "../../support/oauth/mandate-flow.ts";
import { expect, expectGoodLooks, query, tabTo } from "../fixtures.ts";
import { test as base, join } from "./merchant-fixtures.ts";

/** A merchant of the member with three payments: paid, to capture, declined. Opens its overview. */
const test = base.extend<{ charged: Page }>({
  charged: async ({ dashboard: page, member, role, sandboxUrl }, use) => {
    const mandate = await makeChargeableMandate(sandboxUrl);
    await join(member, mandate.merchant.merchantId, role);
    await charge(mandate, { reference: "order-1" });
    await charge(mandate, { reference: "order-2", amount: 900, capture_method: "manual" });
    await charge(mandate, { reference: "order-3", metadata: { simulate: "decline:insufficient_funds" } });
    await page.goto("/merchant");
    await page.getByRole("combobox", { name: "Merchant" }).selectOption({ label: `Fresh Market checkout (${role})` });
    await expect(page.getByRole("link", { name: "order-1" })).toBeVisible();
    await use(page);
  },
});

test("the overview shows the week's figures, payments to capture, and recent payments", async ({ charged: page }) => {
  await expect(page.getByText("€9.00: awaiting capture")).toBeVisible();
  await expect(page.locator("dl")).toContainText("€12.50");
  await expect(page.locator("dl")).toContainText("1 payment");
  await expect(page.getByRole("table", { name: "Payments", exact: true }).getByRole("row")).toHaveCount(4);
});

test("a German member reads dates and amounts in English (docs/spec/portal.md, Languages)", async ({
  charged: page,
  member,
}) => {
  await query((client) =>
    client.query("UPDATE account SET locale = 'de-DE', time_zone = 'Europe/Berlin' WHERE id = $1", [member.id]),
  );
  await page.reload();
  const payments = page.getByRole("table", { name: "Payments", exact: true });
  await expect(payments).toContainText(/(?:Today|Yesterday),\s\d\d:\d\d\sCES?T/);
  await expect(payments).toContainText("€12.50");
  await expect(page.getByRole("main")).not.toContainText(/Heute|Gestern|12,50/);
});

test("the overview of a merchant without payments shows that there are none", async ({ dashboard: page }) => {
  await page.goto("/merchant");
  await expect(page.getByText("No payments in the last 30 days.")).toBeVisible();
  await expectGoodLooks(page, "merchant-overview-empty");
  await page.getByRole("link", { name: "Payments", exact: true }).click();
  await expect(page.getByRole("heading", { name: "No payments yet" })).toBeVisible();
});

test("payment filters are in the URL, a payment shows its timeline, and a double click makes one refund", async ({
  charged: page,
}) => {
  await page.getByRole("link", { name: "Payments", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Payments", level: 1 })).toBeVisible();
  await page.getByLabel("Status").selectOption({ label: "Declined, voided or expired" });
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(/show=failed/);
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("link", { name: "order-3" }).click();
  await expect(page.getByText("the payment method had insufficient funds")).toBeVisible();
  await expect(page.getByRole("button", { name: "Refund" })).toHaveCount(0);

  await page.goto("/merchant/disputes?q=order-1");
  await page.getByRole("link", { name: "Clear the filters" }).click();
  await expect(page.getByRole("heading", { name: "No disputes" })).toBeVisible();
  await page.goto("/merchant/payments?q=order-4");
  const overflow = await page.getByLabel("To", { exact: true }).evaluate((input) => {
    const column = input.parentElement?.getBoundingClientRect();
    return column && input.getBoundingClientRect().right - column.right;
  });
  expect(overflow).toBeLessThanOrEqual(0.5);
  await page.getByRole("link", { name: "Clear the filters" }).click();
  await page.getByLabel("Reference or payment ID").fill("order-");
  await page.getByLabel("Status").selectOption({ label: "Paid" });
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("link", { name: "order-1" }).click();
  await expect(page.getByRole("heading", { name: "€12.50" })).toBeVisible();
  await page.getByRole("button", { name: "Refund" }).click();
  const dialog = page.getByRole("dialog", { name: "Refund this payment?" });
  const field = dialog.getByLabel("Amount in EUR");
  await field.fill("1,250");
  await expect(dialog.getByText("That is more than €12.50.")).toBeVisible();
  await expect(dialog).not.toContainText("You refund");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await expect(field).toBeFocused();
  await expectGoodLooks(page, "merchant-refund");
  await field.fill("1O");
  await expect(field).not.toHaveAttribute("aria-invalid");
  await field.blur();
  await expect(dialog.getByText("Enter an amount, like")).toBeVisible();
  await field.fill("0");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await expect(dialog.getByText("Enter an amount above zero.")).toBeVisible();
  await expect(field).toBeFocused();
  await field.fill("5,00");
  await expect(dialog.getByText("You refund €5.00.")).toBeVisible();
  await dialog.getByLabel("Reason").selectOption("other");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await expect(dialog.getByLabel("Note")).toBeFocused();
  await expect(dialog.getByText("Enter a note that explains the refund.")).toBeVisible();
  await dialog.getByLabel("Note").fill("One item was missing");
  await dialog.getByRole("button", { name: "Refund" }).dblclick();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("Refunded: €5.00")).toHaveCount(1);
  const request = page.getByRole("listitem").filter({ hasText: "Refund requested: €5.00" });
  await expect(request).toContainText("by a member of your team");
  await expectGoodLooks(page, "merchant-payment");

  // The page of a payment with a refund in progress refreshes itself.
  const chargeId = new URL(page.url()).pathname.split("/").at(-1);
  const setRefunding = (amount: number) =>
    query((client) => client.query("UPDATE charge SET amount_refunding = $2 WHERE id = $1", [chargeId, amount]));
  await setRefunding(200);
  await page.reload();
  await expect(page.getByText("The refund is in progress.")).toBeVisible();
  await setRefunding(0);
  await expect(page.getByText("The refund is in progress.")).toHaveCount(0);

  await page.getByRole("link", { name: /^mdt_/ }).click();
  await page.getByRole("link", { name: "All payments of this mandate" }).click();
  await expect(page).toHaveURL(/\/merchant\/payments\?mandate=mdt_\w+$/);
  await expect(page.getByLabel("Mandate ID")).toHaveValue(/^mdt_/);
  await expect(page.getByRole("row")).toHaveCount(4);
  await expect(page.getByRole("link", { name: "Export CSV" })).toHaveAttribute("href", /&mandate=mdt_/);
});

test("a payment is refunded with the keyboard only", async ({ charged: page }) => {
  await tabTo(page.getByRole("link", { name: "order-1" }), 80);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "€12.50" })).toBeVisible();
  await tabTo(page.getByRole("button", { name: "Refund" }), 80);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Refund this payment?" });
  await tabTo(dialog.getByLabel("Amount in EUR"), 80);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("5.00");
  await tabTo(dialog.getByLabel("Reason"), 80);
  await page.keyboard.type("Dup");
  await expect(dialog.getByLabel("Reason")).toHaveValue("duplicate");
  await tabTo(dialog.getByRole("button", { name: "Refund" }), 80);
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("Refunded: €5.00")).toHaveCount(1);
});

test("a part is captured, after the dialog explained that the rest is released", async ({ charged: page }) => {
  await page.getByRole("link", { name: "See payment" }).click();
  await page.getByRole("button", { name: "Void" }).click();
  await expect(page.getByRole("dialog")).toContainText("€9.00 is released to the payer");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Capture" }).click();
  const dialog = page.getByRole("dialog", { name: "Capture this payment?" });
  await expect(dialog).toContainText("The rest of the hold is released permanently");
  await dialog.getByLabel("Amount in EUR").fill("7.50");
  await dialog.getByRole("button", { name: "Capture" }).click();
  await expect(page.getByText("Partially captured: €7.50. The rest was released.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Capture" })).toHaveCount(0);
});

test("an ambiguous amount is not captured; the parsed amount is shown first", async ({
  dashboard: page,
  member,
  sandboxUrl,
}) => {
  const caps = { currency: "KWD", max_amount_per_payment: 5_000_000, max_total_amount: 5_000_000 };
  const mandate = await makeChargeableMandate(sandboxUrl, caps);
  await join(member, mandate.merchant.merchantId, "owner");
  const { json } = await charge(mandate, { currency: "KWD", amount: 1_250_000, capture_method: "manual" });
  await page.goto("/merchant");
  await page.getByRole("combobox", { name: "Merchant" }).selectOption(mandate.merchant.merchantId);
  await expect(page.getByRole("link", { name: "See payment" })).toBeVisible();
  await page.goto(`/merchant/payments/${json?.["id"]}`);
  await page.getByRole("button", { name: "Capture" }).click();
  const dialog = page.getByRole("dialog", { name: "Capture this payment?" });
  const field = dialog.getByLabel("Amount in KWD");
  await expect(dialog.getByText("You capture KWD 1,250.000.")).toBeVisible();
  await field.fill("1,250");
  await dialog.getByRole("button", { name: "Capture" }).click();
  await expect(dialog.getByText("“1,250” can mean KWD 1,250.000 or KWD 1.250.")).toBeVisible();
  await field.fill("1,250.000");
  await expect(dialog.getByText("You capture KWD 1,250.000.")).toBeVisible();
  await dialog.getByRole("button", { name: "Capture" }).click();
  await expect(page.getByText("Captured: KWD 1,250.000")).toBeVisible();
});

test.describe("a developer", () => {
  test.use({ role: "developer" });

  test("sees payments without actions", async ({ charged: page }) => {
    await page.getByRole("link", { name: "order-1" }).click();
    await expect(page.getByRole("heading", { name: "€12.50" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Refund" })).toHaveCount(0);
  });
});

test("another merchant's payment looks like one that doesn't exist", async ({ dashboard: page }) => {
  const answer = await page.goto("/merchant/payments/chg_nobodys");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
});
