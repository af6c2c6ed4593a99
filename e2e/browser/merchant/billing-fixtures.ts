import { randomBytes } from "node:crypto";
import type { Client } from "pg";
import { invoiceExample } from "#server/billing/invoices/invoice-example.ts";
import { query } from "../fixtures.ts";

/** Stores a subscription to version 1 of a plan, from the start of this month. @returns the subscription's id. */
export const insertSubscription = async (
  client: Pick<Client, "query">,
  { merchantId, planId }: { merchantId: string; planId: string },
): Promise<string> => {
  const id = `bsub_e2e${randomBytes(9).toString("hex")}`;
  await client.query(
    `INSERT INTO billing_subscription (id, merchant_id, plan_id, plan_version, currency, status, anchor_date, interval, time_zone, created_at)
     VALUES ($1, $2, $3, 1, 'EUR', 'active', date_trunc('month', now(), 'UTC')::date, 'month', 'UTC', now())`,
    [id, merchantId, planId],
  );
  await client.query(
    `INSERT INTO billing_period (subscription_id, kind, "from", "to", whole_from, whole_to, number, plan_id, plan_version, currency, due_at)
     SELECT $1, 'regular', f, t, f, t, 0, $2, 1, 'EUR', t
       FROM (SELECT date_trunc('month', now(), 'UTC') AS f, date_trunc('month', now(), 'UTC') + interval '1 month' AS t) p`,
    [id, planId],
  );
  return id;
};

/** Subscribes a merchant to the plan Free of the demo catalogue, from the start of this month. */
export const subscribe = (merchantId: string): Promise<string> =>
  query((client) => insertSubscription(client, { merchantId, planId: "free" }));

const period = ["2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z"];
const seller = {
  name: "Paygrant Demo GmbH",
  line1: "Beispielstraße 1",
  line2: null,
  postal_code: "10115",
  city: "Berlin",
  country: "DE",
  vat_number: "DE123456789",
  email: "billing@demo.paygrant.test",
};

/** Stores an open invoice for October: 49.00 EUR, without tax. Workers don't collect it. @returns the invoice's id. */
export const addOpenInvoice = async (merchantId: string): Promise<string> => {
  const tail = randomBytes(9).toString("hex");
  const [invoiceId, number] = [`inv_e2e${tail}`, `TEST-INV-E2E-${tail}`];
  const [flat] = invoiceExample.lines;
  const line = { ...flat, id: `il_e2e${tail}`, tax: { category: "O", rate: "0" } };
  const taxes = [{ category: "O", rate: "0", base: 4900, amount: 0 }];
  const sums = { subtotal: 4900, tax: 0, total: 4900, amount_due: 4900 };
  const invoice = { ...invoiceExample, ...sums, id: invoiceId, number, lines: [line], taxes };
  const snapshot = JSON.stringify({ seller, buyer: null, tax_behaviour: "exclusive", invoice });
  await query(async (client) => {
    await client.query("BEGIN");
    // UBL needs the country of the customer.
    await client.query("UPDATE merchant SET country = 'DE' WHERE id = $1", [merchantId]);
    await client.query(
      `INSERT INTO billing_invoice (id, merchant_id, subscription_id, type, kind, status, currency, number, period_from, period_to,
         plan_id, plan_version, tax_behaviour, subtotal, discount, tax, total, credit_applied, prepaid_applied,
         to_credit_balance, amount_credited, amount_paid, amount_due, discounts, taxes, line_count, created_at, updated_at,
         issued_at, due_at, snapshot)
       VALUES ($1, $2, $3, 'invoice', 'period', 'open', 'EUR', $4, $5, $6, 'pro', 1, 'exclusive', 4900, 0, 0, 4900, 0, 0,
         0, 0, 0, 4900, '[]', $7, 1, now(), now(), now(), now() + interval '14 days', $8)`,
      [invoiceId, merchantId, `bsub_e2e${tail}`, number, ...period, JSON.stringify(taxes), snapshot],
    );
    await client.query(
      `INSERT INTO billing_invoice_line (id, invoice_id, position, kind, description, plan_id, plan_version, period_from,
         period_to, quantity, exact, priced_exact, amount, discount, net, tax_category, tax_rate, invoice_at, cut_off)
       VALUES ($1, $2, 1, 'flat', 'Flat fee', 'pro', 1, $3, $4, 1, 4900, 4900, 4900, 0, 4900, 'O', 0, $4, $4)`,
      [line.id, invoiceId, ...period],
    );
    await client.query("UPDATE billing_collection SET due_at = NULL, attempt_at = NULL WHERE invoice_id = $1", [
      invoiceId,
    ]);
    await client.query("COMMIT");
  });
  return invoiceId;
};
