import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, expectGoodLooks, query } from "../fixtures.ts";
import { test } from "./operator-fixtures.ts";

type Ids = { merchantId: string; invoiceId: string; name: string; number: string };

/** Stores a merchant with an open invoice: 119.00 EUR with 19% tax. Workers don't collect the invoice. */
const addOpenInvoice = async (): Promise<Ids> => {
  const tail = randomBytes(9).toString("hex");
  const [merchantId, invoiceId, name] = [`mch_e2e${tail}`, `inv_e2e${tail}`, `Bakery ${tail.slice(0, 6)}`];
  return query(async (client) => {
    await client.query("BEGIN");
    await client.query(
      `INSERT INTO merchant (id, legal_name, display_name, mcc, processor, processor_account, created_at)
       VALUES ($1, 'Bakery Ltd', $2, '5462', 'simulator', $1, now())`,
      [merchantId, name],
    );
    const { rows } = await client.query(
      `INSERT INTO billing_number AS n (series, year, last) VALUES ('TEST-INV', extract(year FROM now())::int, 1)
       ON CONFLICT (series, year) DO UPDATE SET last = n.last + 1 RETURNING year, last`,
    );
    const number = `TEST-INV-${rows[0].year}-${String(rows[0].last).padStart(6, "0")}`;
    await client.query(
      `INSERT INTO billing_invoice (id, merchant_id, subscription_id, type, kind, status, currency, number, period_from, period_to,
         plan_id, plan_version, tax_behaviour, subtotal, discount, tax, total, credit_applied, prepaid_applied,
         to_credit_balance, amount_credited, amount_paid, amount_due, discounts, taxes, line_count, created_at, updated_at,
         issued_at, due_at, snapshot)
       VALUES ($1, $2, $3, 'invoice', 'period', 'open', 'EUR', $4, '2026-10-01', '2026-11-01', 'pro', 1, 'exclusive', 10000, 0,
         1900, 11900, 0, 0, 0, 0, 0, 11900, '[]', '[{"category":"S","rate":"19","base":"10000","amount":"1900"}]', 2,
         now(), now(), now(), now() + interval '14 days', '{}')`,
      [invoiceId, merchantId, `bsub_e2e${tail}`, number],
    );
    await client.query("UPDATE billing_collection SET due_at = 'infinity', attempt_at = NULL WHERE invoice_id = $1", [
      invoiceId,
    ]);
    await client.query(
      `INSERT INTO billing_invoice_line (id, invoice_id, position, kind, meter, description, plan_id, plan_version,
         period_from, period_to, quantity, exact, priced_exact, amount, discount, net, tax_category, tax_rate, invoice_at, cut_off)
       VALUES ($1 || '1', $2, 1, 'flat', NULL, 'Flat fee', 'pro', 1, '2026-10-01', '2026-11-01', 1, 9000, 9000, 9000, 0, 9000, 'S', 19, now(), now()),
         ($1 || '2', $2, 2, 'usage', 'tokens_issued', 'Tokens issued', 'pro', 1, '2026-10-01', '2026-11-01', 2000, 1000, 1000, 1000, 0, 1000, 'S', 19, now(), now())`,
      [`il_e2e${tail}`, invoiceId],
    );
    await client.query(
      `INSERT INTO billing_ledger_transaction (id, merchant_id, kind, source_type, source_id, state, entry_count, effective_at, settled_at)
       VALUES ($1, $2, 'invoice.finalized', 'invoice', $3, 'posted', 3, now(), now())`,
      [`ltx_e2e${tail}`, merchantId, invoiceId],
    );
    for (const [index, [account, amount]] of [
      ["receivable", 11900],
      ["revenue", -10000],
      ["tax", -1900],
    ].entries()) {
      await client.query(
        `INSERT INTO billing_ledger_entry (id, transaction_id, merchant_id, account, currency, amount, effective_at)
         VALUES ($1, $2, $3, $4, 'EUR', $5, now())`,
        [`lent_e2e${index}${tail}`, `ltx_e2e${tail}`, merchantId, account, amount],
      );
      await client.query(
        "INSERT INTO billing_ledger_balance (merchant_id, account, currency, posted, pending) VALUES ($1, $2, 'EUR', $3, 0)",
        [merchantId, account, amount],
      );
    }
    await client.query(
      `INSERT INTO billing_revenue AS r (month, currency, plan_id, item, net)
       SELECT date_trunc('month', now() AT TIME ZONE 'UTC')::date, 'EUR', 'pro', v.item, v.net
         FROM (VALUES ('flat', 9000), ('tokens_issued', 1000)) v (item, net)
       ON CONFLICT (month, currency, plan_id, item) DO UPDATE SET net = r.net + excluded.net`,
    );
    await client.query("COMMIT");
    return { merchantId, invoiceId, name, number };
  });
};

const confirm = async (page: Page, button: string, reason: string) => {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: button }).click();
};

test("an operator finds an invoice, credits a part, and voids another one (docs/spec/billing.md, Operator pages)", async ({
  console: page,
}) => {
  const { invoiceId, number } = await addOpenInvoice();
  await page.goto("/operator");
  await page.getByRole("link", { name: "Invoices", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Invoices" })).toBeVisible();
  await page.getByLabel("Number, merchant or ID").fill(number.toLowerCase());
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("table", { name: "Invoices" }).getByRole("row")).toHaveCount(2);
  await expectGoodLooks(page, "operator-invoices");
  await page.getByRole("link", { name: number }).click();

  await expect(page.getByRole("heading", { level: 1, name: number })).toBeVisible();
  await expect(page.getByRole("table", { name: "Ledger" })).toContainText("Receivable");
  await expectGoodLooks(page, "operator-invoice");
  await page.goto(`/operator/invoices/${invoiceId}/lines/${invoiceId.replace("inv_", "il_")}2`);
  await expect(page.getByRole("heading", { level: 1, name: "Events: Tokens issued" })).toBeVisible();
  await expectGoodLooks(page, "operator-line-events");
  await page.getByRole("link", { name: "Back to the invoice" }).click();
  await page.getByRole("link", { name: "Create credit note" }).click();
  await expect(page.getByRole("heading", { level: 1, name: `Credit note for ${number}` })).toBeVisible();
  await page.getByLabel("Credit", { exact: true }).selectOption("An amount for each line");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByText("Enter an amount for at least one line.")).toBeVisible();
  await page.getByLabel("Flat fee").fill("900");
  await expect(page.getByText("That is more than €90.00.")).toBeVisible();
  await page.getByLabel("Flat fee").fill("10.00");
  await page.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview).toContainText("€11.90");
  await page.getByLabel("Reason").fill("Outage in October");
  await expectGoodLooks(page, "operator-credit-note-preview");
  await page.getByRole("button", { name: "Create credit note" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /^TEST-CN-/ })).toBeVisible();
  await expect(page.getByText("Outage in October").first()).toBeVisible();

  await page.goto(`/operator/invoices/${invoiceId}`);
  await expect(page.getByRole("table", { name: "Credit notes" })).toContainText("Outage in October");
  await expect(page.getByRole("button", { name: "Void" })).toHaveCount(0);
  await page.getByRole("button", { name: "Mark as uncollectible" }).click();
  await confirm(page, "Mark as uncollectible", "The merchant is insolvent");
  await expect(page.getByText("Uncollectible", { exact: true })).toBeVisible();
  await expectGoodLooks(page, "operator-invoice-history");

  const other = await addOpenInvoice();
  await page.goto(`/operator/invoices/${other.invoiceId}`);
  await page.getByRole("button", { name: "Void" }).click();
  await confirm(page, "Void", "Issued by mistake");
  await expect(page.getByText("“Issued by mistake”")).toBeVisible();
  await expect(page.getByRole("button", { name: "Void" })).toHaveCount(0);
  await page.goto(`/operator/invoices?status=void&q=${other.merchantId}`);
  await expect(page.getByRole("row").filter({ hasText: other.number })).toContainText("Void");
});

test("an operator sees an unpaid invoice in dunning, and settles its payment with an unknown outcome (docs/spec/billing.md, Operator pages)", async ({
  console: page,
}) => {
  const { invoiceId, merchantId, number } = await addOpenInvoice();
  const paymentId = `bpay_e2e${randomBytes(9).toString("hex")}`;
  await query(async (client) => {
    await client.query("BEGIN");
    await client.query(
      `INSERT INTO billing_payment (id, invoice_id, merchant_id, amount, currency, processor, processor_account,
         payment_method_ref, payment_method_label, created_at, started_at)
       VALUES ($1, $2, $3, 11900, 'EUR', 'simulator', 'acct_billing', 'pm_card_visa', 'Visa ending in 4242',
         now() - interval '2 hours', now() - interval '2 hours')`,
      [paymentId, invoiceId, merchantId],
    );
    await client.query(
      `INSERT INTO billing_ledger_transaction (id, merchant_id, kind, source_type, source_id, state, entry_count, effective_at)
       VALUES ($1, $2, 'payment', 'payment', $3, 'pending', 2, now())`,
      [`ltx_${paymentId}`, merchantId, paymentId],
    );
    for (const [account, amount] of [
      ["processor_clearing", 11900],
      ["receivable", -11900],
    ]) {
      await client.query(
        `INSERT INTO billing_ledger_entry (id, transaction_id, merchant_id, account, currency, amount, effective_at)
         VALUES ($1, $2, $3, $4, 'EUR', $5, now())`,
        [`lent_${account}${paymentId}`, `ltx_${paymentId}`, merchantId, account, amount],
      );
      await client.query(
        `INSERT INTO billing_ledger_balance AS b (merchant_id, account, currency, posted, pending) VALUES ($1, $2, 'EUR', 0, $3)
         ON CONFLICT (merchant_id, currency, account) DO UPDATE SET pending = b.pending + excluded.pending`,
        [merchantId, account, amount],
      );
    }
    await client.query(
      "UPDATE billing_collection SET failures = 1, first_failed_at = now() - interval '1 day' WHERE invoice_id = $1",
      [invoiceId],
    );
    await client.query("COMMIT");
  });
  await page.goto("/operator/dunning");
  await expect(page.getByRole("row").filter({ hasText: number })).toContainText("Look up a payment’s outcome");
  await expectGoodLooks(page, "operator-dunning");
  await page.getByRole("link", { name: "Payments to review" }).click();
  await expectGoodLooks(page, "operator-payments-to-review");
  await page.getByRole("row").filter({ hasText: number }).getByRole("link").click();
  await page.getByRole("button", { name: "Settle payment" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Processor’s payment ID").fill("pay_123");
  await expectGoodLooks(page, "operator-settle-payment");
  await confirm(page, "Settle payment", "Found at the processor");
  await expect(page.getByText("Paid", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("“Found at the processor”")).toBeVisible();
  await page.goto("/operator/dunning");
  await expect(page.getByRole("row").filter({ hasText: number })).toHaveCount(0);
});

test("an operator assigns a plan, applies a coupon and grants a credit (docs/spec/billing.md, Operator pages)", async ({
  console: page,
}) => {
  const { merchantId, name } = await addOpenInvoice();
  await page.goto(`/operator/merchants/${merchantId}`);
  await page.getByRole("link", { name: "billing", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: `Billing of ${name}` })).toBeVisible();
  const act = (label: string) => page.getByRole("button", { name: label, exact: true });
  await act("Assign plan").click();
  await page.getByRole("dialog").getByLabel("Plan").selectOption("pro");
  await confirm(page, "Assign plan", "Signed by letter");
  await expect(page.getByText("Current period")).toBeVisible();
  await act("Apply coupon").click();
  await page.getByRole("dialog").getByLabel("Code").fill("NOPE");
  await confirm(page, "Apply coupon", "Welcome");
  await expect(page.getByRole("dialog")).toContainText("The coupon NOPE isn’t known.");
  await expect(page.getByRole("dialog").getByLabel("Reason")).toHaveValue("Welcome");
  await page.getByRole("dialog").getByLabel("Code").fill("LAUNCH");
  await confirm(page, "Apply coupon", "Welcome");
  await expect(page.getByRole("table", { name: "Coupons" })).toContainText("LAUNCH");
  await act("Grant credit").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount in EUR").fill("25.00");
  await expect(dialog.getByText("You grant")).toContainText("€25.00");
  await expectGoodLooks(page, "operator-grant-credit");
  await confirm(page, "Grant credit", "Paid by bank transfer");
  await expect(page.getByRole("table", { name: "Credits" })).toContainText("€25.00");
  await act("Add SLA credit").click();
  await dialog.getByLabel("Month").fill("2020-01");
  await dialog.getByLabel("Amount in minor units").fill("12.5");
  await confirm(page, "Add SLA credit", "The measurement missed an outage");
  await expect(dialog).toContainText("aren’t computed yet");
  await expect(dialog.getByLabel("Amount in minor units")).toHaveValue("12.5");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expectGoodLooks(page, "operator-merchant-billing");
  await page.getByRole("button", { name: "Remove LAUNCH" }).click();
  await confirm(page, "Remove coupon", "The campaign ended");
  await expect(page.getByRole("table", { name: "Coupons" })).toHaveCount(0);

  await page.goto("/operator/revenue");
  await expect(page.getByRole("heading", { level: 1, name: "Revenue" })).toBeVisible();
  await expectGoodLooks(page, "operator-revenue");
});
