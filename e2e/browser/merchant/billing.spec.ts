import { createHash, randomBytes } from "node:crypto";
import { expect, expectGoodLooks, query } from "../fixtures.ts";
import { test } from "./merchant-fixtures.ts";

const period = ["2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z"];

/** A draft of October with a flat fee and two reported events. */
const addDraft = async (merchantId: string): Promise<string> => {
  const tail = randomBytes(9).toString("hex");
  const invoiceId = `inv_e2e${tail}`;
  const events = ["a", "b"].map((letter) => `uev_e2e${letter}${tail}`);
  const setHash = createHash("sha256").update(events.join("\n")).digest("hex");
  await query(async (client) => {
    await client.query("BEGIN");
    for (const [index, id] of events.entries()) {
      const time = `2026-10-${10 + index}T12:00:00Z`;
      await client.query(
        "INSERT INTO usage_event_key (merchant_id, source, event_id, body_hash, time) VALUES ($1, 'shop', $2, 'h', $3)",
        [merchantId, id, time],
      );
      await client.query(
        `INSERT INTO usage_event (merchant_id, time, id, source, event_id, meter, subject, quantity, received_at)
         VALUES ($1, $2, $3, 'shop', $3, 'sms', 'customer-42', $4, $2)`,
        [merchantId, time, id, 3 + index],
      );
      await client.query(
        "INSERT INTO usage_hour (merchant_id, hour, meter, count, quantity) VALUES ($1, $2, 'sms', 1, $3)",
        [merchantId, time, 3 + index],
      );
    }
    await client.query(
      `INSERT INTO billing_invoice (id, merchant_id, subscription_id, type, kind, status, currency, period_from, period_to,
         plan_id, plan_version, tax_behaviour, subtotal, discount, tax, total, credit_applied, prepaid_applied,
         to_credit_balance, amount_credited, amount_paid, amount_due, discounts, taxes, line_count, created_at, updated_at)
       VALUES ($1, $2, $3, 'invoice', 'period', 'draft', 'EUR', $4, $5, 'pro', 1, 'exclusive', 4911, 0, 0, 4911, 0, 0,
         0, 0, 0, 4911, '[]', '[{"category":"O","rate":"0","base":4911,"amount":0}]', 2, now(), now())`,
      [invoiceId, merchantId, `bsub_e2e${tail}`, ...period],
    );
    await client.query(
      `INSERT INTO billing_invoice_line (id, invoice_id, position, kind, meter, description, plan_id, plan_version,
         period_from, period_to, quantity, exact, priced_exact, amount, discount, net, tax_category, tax_rate,
         invoice_at, cut_off, event_count, event_set_hash, events_as_of)
       VALUES ($1 || '1', $2, 1, 'flat', NULL, 'Flat fee', 'pro', 1, $3, $4, 1, 4900, 4900, 4900, 0, 4900, 'O', 0, $4, $4,
           NULL, NULL, NULL),
         ($1 || '2', $2, 2, 'usage', 'own:sms', 'sms', 'pro', 1, $3, $4, 7, 10.6, 10.6, 11, 0, 11, 'O', 0, $4, $4,
           2, $5, $4)`,
      [`il_e2e${tail}`, invoiceId, ...period, setHash],
    );
    await client.query("COMMIT");
  });
  return invoiceId;
};

test("a member sees the plan, an invoice, its lines and the events behind a line (docs/spec/billing.md, Merchant pages)", async ({
  dashboard: page,
  member,
}) => {
  await page.goto("/merchant/billing");
  await expect(page.getByRole("heading", { level: 1, name: "Billing" })).toBeVisible();
  await expectGoodLooks(page, "merchant-billing");
  const invoiceId = await addDraft(member.merchantId);

  await page.goto("/merchant/billing/invoices");
  await expect(page.getByRole("row").filter({ hasText: "€49.11" })).toBeVisible();
  await page.goto(`/merchant/billing/invoices/${invoiceId}`);
  await expect(page.getByRole("row").filter({ hasText: "Flat fee" })).toContainText("€49.00");
  await expectGoodLooks(page, "merchant-invoice");
  await page.getByRole("link", { name: "2 events" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Events: sms" })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "customer-42" })).toHaveCount(2);
  await expectGoodLooks(page, "merchant-line-events");

  const answer = await page.goto("/merchant/billing/invoices/inv_unknown");
  expect(answer?.status()).toBe(404);
});
