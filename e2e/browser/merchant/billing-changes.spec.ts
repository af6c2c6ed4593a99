import { expect, expectGoodLooks, query } from "../fixtures.ts";
import { addOpenInvoice, subscribe } from "./billing-fixtures.ts";
import { test } from "./merchant-fixtures.ts";

test("an owner compares plans, previews a change, makes it, and withdraws it (docs/spec/billing.md, Merchant pages)", async ({
  dashboard: page,
  member,
}) => {
  await subscribe(member.merchantId);
  await page.goto("/merchant/billing");
  await page.getByRole("navigation", { name: "Billing" }).getByRole("link", { name: "Plan" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Plan" })).toBeVisible();
  const pro = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Pro" }) });
  await expect(pro).toContainText("€49.00");
  await expectGoodLooks(page, "merchant-plan");

  await pro.getByRole("link", { name: "Preview change to Pro" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Change to Pro" })).toBeVisible();
  await expect(
    page.getByText(
      "The invoice for this period is issued as usual, after the period ends. Pro starts with the next period.",
    ),
  ).toBeVisible();
  const next = page.getByRole("table", { name: "Next invoice" });
  await expect(next.getByRole("row").filter({ hasText: /^Total/ })).toContainText("€");
  await page.getByRole("link", { name: "Now", exact: true }).click();
  await expect(page.getByRole("button", { name: "Change to Pro now" })).toBeVisible();
  await expectGoodLooks(page, "merchant-plan-change");

  // After the operator's credit, the result differs from the preview that the page shows.
  await query(async (client) => {
    await client.query(
      `INSERT INTO billing_credit_grant (id, merchant_id, kind, currency, granted, remaining, priority, granted_at, source_type, source_id)
       VALUES ('crg_e2e' || $1, $1, 'promotional', 'EUR', 100, 100, 1, now(), 'operator', $1)`,
      [member.merchantId],
    );
  });
  await page.getByRole("button", { name: "Change to Pro now" }).click();
  const notice = page.getByRole("status").filter({ hasText: "Nothing was changed: the costs are different now" });
  await expect(notice).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Prepaid and promotional credit used" })).toBeVisible();

  await page.getByRole("link", { name: "At the end of the period" }).click();
  await page.getByRole("button", { name: "Change to Pro at the period’s end" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The change to Pro is saved." })).toBeVisible();
  await expect(page.getByText(/Pro replaces Free (at the end of|on) /)).toBeVisible();
  await expect(page.getByRole("link", { name: "Preview change to Scale" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "End plan" })).toHaveCount(0);

  await page.getByRole("button", { name: "Withdraw change" }).click();
  await expectGoodLooks(page, "merchant-plan-withdraw");
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw change" }).click();
  await expect(page.getByRole("link", { name: "Preview change to Scale" })).toBeVisible();
  await expect(page.getByRole("button", { name: "End plan" })).toBeVisible();
});

test("an owner ends the plan, then decides to keep it (docs/spec/billing.md, Merchant pages)", async ({
  dashboard: page,
  member,
}) => {
  await subscribe(member.merchantId);
  await page.goto("/merchant/billing/plan");
  await page.getByRole("button", { name: "End plan" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("radio", { name: "At the end of the period" })).toBeChecked();
  await dialog.getByRole("button", { name: "End plan" }).click();
  await expect(page.getByText(/Free ends (at the end of|on) /)).toBeVisible();
  await page.getByRole("button", { name: "Keep plan" }).click();
  await expect(page.getByRole("button", { name: "End plan" })).toBeVisible();
});

test("an invoice is declined, then paid with another card, and downloaded (docs/spec/billing.md, Merchant pages)", async ({
  dashboard: page,
  member,
}) => {
  await page.goto("/merchant/billing/details");
  await page.getByRole("button", { name: "Change card" }).click();
  await page.getByRole("radio", { name: "Visa ending in 9995" }).check();
  await page.getByRole("button", { name: "Use this card" }).click();
  await expect(page.getByText("Visa ending in 9995", { exact: true })).toBeVisible();
  await expectGoodLooks(page, "merchant-billing-details");

  const invoiceId = await addOpenInvoice(member.merchantId);
  await page.goto(`/merchant/billing/invoices/${invoiceId}`);
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.getByRole("button", { name: "Pay €49.00" }).click();
  const attempts = page.getByRole("table", { name: "Payment attempts" });
  await expect(attempts).toContainText("The card has insufficient funds. Try again later, or use another card.");
  await expect(page.getByRole("alert").filter({ hasText: "The payment was declined." })).toBeVisible();
  await expectGoodLooks(page, "merchant-invoice-declined");

  await page.goto("/merchant/billing/details");
  await page.getByRole("button", { name: "Change card" }).click();
  await page.getByRole("radio", { name: "Mastercard ending in 4444" }).check();
  await page.getByRole("button", { name: "Use this card" }).click();
  await expect(page.getByText("Mastercard ending in 4444", { exact: true })).toBeVisible();
  // Paygrant tries to pay open invoices with the new card immediately.
  await expect(async () => {
    await page.goto(`/merchant/billing/invoices/${invoiceId}`);
    const attempt = attempts.getByRole("row").filter({ hasText: "Mastercard ending in 4444" });
    await expect(attempt).toContainText("Paid", { timeout: 2_000 });
  }).toPass();
  await expect(page.getByRole("button", { name: "Pay now" })).toHaveCount(0);

  for (const [name, type] of [
    ["PDF", "application/pdf"],
    ["CSV of events", "text/csv"],
    ["UBL", "application/xml"],
  ] as const) {
    const href = await page.getByRole("link", { name, exact: true }).getAttribute("href");
    const file = await page.request.get(href ?? "");
    expect([file.status(), file.headers()["content-type"]]).toEqual([200, expect.stringContaining(type)]);
  }
});

test("an unpaid invoice is in the overview, and the banner links to it (docs/spec/billing.md, Collection)", async ({
  dashboard: page,
  member: { merchantId },
}) => {
  const invoiceId = await addOpenInvoice(merchantId);
  await query((client) =>
    client.query("UPDATE billing_collection SET overdue_at = now() WHERE invoice_id = $1", [invoiceId]),
  );
  await page.goto("/merchant");
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention.getByRole("heading", { name: /^Invoice TEST-INV-E2E-.+: past due$/ })).toBeVisible();
  await expect(attention).toContainText(/€49\.00 due .+\. New payments are refused from .+ if it isn’t paid\./);
  await attention.getByRole("link", { name: "See invoice" }).click();
  await expect(page).toHaveURL(new RegExp(`/invoices/${invoiceId}$`));
  await query(async (client) => {
    await client.query("UPDATE billing_collection SET suspended_at = now() WHERE invoice_id = $1", [invoiceId]);
    await client.query("UPDATE merchant SET billing_suspended_at = now() WHERE id = $1", [merchantId]);
  });
  await page.goto("/merchant");
  await expect(attention).toContainText("New payments are refused until it is paid.");
  await expectGoodLooks(page, "merchant-overview-unpaid");
  await page.getByRole("link", { name: "See the invoice" }).click();
  await expect(page).toHaveURL(new RegExp(`/invoices/${invoiceId}$`));
});

test.describe("a viewer", () => {
  test.use({ role: "viewer" });

  test("reads the plans, the invoice and the payment method, and changes nothing (docs/spec/billing.md, Merchant pages)", async ({
    dashboard: page,
    member,
  }) => {
    await subscribe(member.merchantId);
    await page.goto("/merchant/billing/plan");
    await expect(page.getByText("Owners and admins can change the plan.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Preview change to Pro" })).toHaveCount(0);
    await page.goto("/merchant/billing/plan/change?plan=pro&effective=now");
    await expect(page.getByRole("button", { name: "Change to Pro now" })).toHaveCount(0);
    const invoiceId = await addOpenInvoice(member.merchantId);
    await page.goto(`/merchant/billing/invoices/${invoiceId}`);
    await expect(page.getByText("Owners and admins can pay the invoice.")).toBeVisible();
    await page.goto("/merchant/billing/details");
    await expect(page.getByRole("button", { name: "Change card" })).toHaveCount(0);
  });
});

test("tax details: a format error is shown beside the field, and the entries are kept (docs/spec/billing.md, Tax details)", async ({
  dashboard: page,
}) => {
  await page.goto("/merchant/billing/details");
  const form = page.getByRole("form", { name: "Tax details" });
  await expect(form.getByLabel("Legal name")).toHaveValue("Fresh Market");
  await form.getByLabel("Address", { exact: true }).fill("Main Street 1");
  await form.getByLabel("City").fill("Berlin");
  await form.getByLabel("Country").selectOption("DE");
  await form.getByLabel("VAT number").fill("DE12");
  await form.getByLabel("City").focus();
  await expect(
    form.getByText(
      "This isn’t a valid VAT number for Germany. It must start with DE and have the right number of characters.",
    ),
  ).toBeVisible();
  await form.getByRole("button", { name: "Save tax details" }).click();
  await expect(form.getByLabel("VAT number")).toBeFocused();
  await expect(form.getByLabel("VAT number")).toHaveValue("DE12");
  await expect(form.getByLabel("Address", { exact: true })).toHaveValue("Main Street 1");
  await form.getByLabel("VAT number").fill("de 123 456 789");
  await form.getByRole("button", { name: "Save tax details" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Saved." })).toBeVisible();
  await expect(page.getByText("DE123456789", { exact: true })).toBeVisible();
  await expect(page.getByText("Only the format was checked.")).toBeVisible();
  await expectGoodLooks(page, "merchant-tax-details");
});
