import { randomBytes } from "node:crypto";
import type { Client } from "pg";
import { query } from "../fixtures.ts";
import { insertSubscription } from "./billing-fixtures.ts";

type Queries = Pick<Client, "query">;

const definition = {
  name: "Spend",
  effective_from: "2026-01-01",
  interval: "month",
  currencies: {
    EUR: {
      flat: 4900,
      prices: {
        "own:sms": { model: "per_unit", unit: "25" },
        successful_charges: { model: "basis_points", rate: "100" },
        tokens_issued: { model: "per_unit", unit: "1" },
      },
    },
  },
};

const addPlan = async (client: Queries): Promise<void> => {
  await client.query("INSERT INTO billing_plan (id) VALUES ('e2e_spend') ON CONFLICT DO NOTHING");
  await client.query(
    `INSERT INTO billing_plan_version (plan_id, version, effective_from, is_public, hash, definition, applied_at)
     VALUES ('e2e_spend', 1, '2026-01-01', false, 'e2e', $1, now()) ON CONFLICT DO NOTHING`,
    [JSON.stringify(definition)],
  );
};

/** Stores events of the meter `sms`, with times `daysAgo` days before now. */
const addEvents = async (client: Queries, merchantId: string, daysAgo: number): Promise<void> => {
  for (const letter of ["a", "b", "c"]) {
    const id = `uev_e2e${letter}${randomBytes(9).toString("hex")}`;
    const time = `(date_trunc('minute', now()) - interval '${daysAgo * 24} hours')`;
    await client.query(
      `INSERT INTO usage_event_key (merchant_id, source, event_id, body_hash, time) VALUES ($1, 'shop', $2, 'h', ${time})`,
      [merchantId, id],
    );
    await client.query(
      `INSERT INTO usage_event (merchant_id, time, id, source, event_id, meter, subject, quantity, received_at)
       VALUES ($1, ${time}, $2, 'shop', $2, 'sms', 'customer-42', 40, ${time})`,
      [merchantId, id],
    );
    await client.query(
      `INSERT INTO usage_hour AS h (merchant_id, hour, meter, count, quantity) VALUES ($1, date_trunc('hour', ${time}, 'UTC'), 'sms', 1, 40)
       ON CONFLICT (merchant_id, hour, meter) DO UPDATE SET count = h.count + 1, quantity = h.quantity + 40`,
      [merchantId],
    );
  }
};

/** Stores the draft of an earlier month. */
const addEarlierMonth = async (
  client: Queries,
  subject: { merchantId: string; subscriptionId: string },
  ago: number,
) => {
  const tail = `${randomBytes(9).toString("hex")}${ago}`;
  const lines = [
    ["flat", null, "Flat fee", 4900],
    ["usage", "own:sms", "sms", 1000 + 700 * ago],
    ["usage", "successful_charges", "Successful charges", 2400 + 300 * ago],
    ["usage", "tokens_issued", "Tokens issued", 500],
  ] as const;
  const total = lines.reduce((sum, [, , , amount]) => sum + amount, 0);
  const from = `date_trunc('month', now(), 'UTC') - interval '${ago} months'`;
  const to = `date_trunc('month', now(), 'UTC') - interval '${ago - 1} months'`;
  await client.query("BEGIN");
  await client.query(
    `INSERT INTO billing_invoice (id, merchant_id, subscription_id, type, kind, status, currency, period_from, period_to,
       plan_id, plan_version, tax_behaviour, subtotal, discount, tax, total, credit_applied, prepaid_applied,
       to_credit_balance, amount_credited, amount_paid, amount_due, discounts, taxes, line_count, created_at, updated_at)
     VALUES ($1, $2, $3, 'invoice', 'period', 'draft', 'EUR', ${from}, ${to}, 'e2e_spend', 1, 'exclusive', $4, 0, 0, $4, 0, 0,
       0, 0, 0, $4, '[]', $5, ${lines.length}, ${to}, ${to})`,
    [
      `inv_e2e${tail}`,
      subject.merchantId,
      subject.subscriptionId,
      total,
      JSON.stringify([{ category: "O", rate: "0", base: total, amount: 0 }]),
    ],
  );
  for (const [index, [kind, meter, description, amount]] of lines.entries()) {
    await client.query(
      `INSERT INTO billing_invoice_line (id, invoice_id, position, kind, meter, description, plan_id, plan_version,
         period_from, period_to, quantity, exact, priced_exact, amount, discount, net, tax_category, tax_rate,
         invoice_at, cut_off, event_count, event_set_hash, events_as_of)
       VALUES ($1, $2, $3, $4, $5, $6, 'e2e_spend', 1, ${from}, ${to}, 1, $7::bigint, $7::bigint, $7::bigint, 0, $7::bigint, 'O', 0, ${to}, ${to}, NULL, NULL, NULL)`,
      [`il_e2e${tail}${index}`, `inv_e2e${tail}`, index + 1, kind, meter, description, amount],
    );
  }
  await client.query("COMMIT");
};

/** Gives a merchant a plan, usage `daysAgo` days before now, and drafts of three earlier months. */
export const addSpend = (merchantId: string, { daysAgo = 0 } = {}): Promise<void> =>
  query(async (client) => {
    await addPlan(client);
    const subscriptionId = await insertSubscription(client, { merchantId, planId: "e2e_spend" });
    await addEvents(client, merchantId, daysAgo);
    for (const ago of [3, 2, 1]) await addEarlierMonth(client, { merchantId, subscriptionId }, ago);
  });

/** Grants a prepaid credit of 100 EUR, with the ledger entries of the credit. */
export const addCredit = (merchantId: string): Promise<string> =>
  query(async (client) => {
    const tail = randomBytes(9).toString("hex");
    const id = `crg_e2e${tail}`;
    await client.query("BEGIN");
    await client.query(
      `INSERT INTO billing_credit_grant (id, merchant_id, kind, currency, granted, remaining, priority, expires_at, granted_at, source_type, source_id)
       VALUES ($1, $2, 'prepaid', 'EUR', 10000, 10000, 0, now() + interval '1 year', now(), 'operator', $1)`,
      [id, merchantId],
    );
    await client.query(
      `INSERT INTO billing_ledger_transaction (id, merchant_id, kind, source_type, source_id, state, entry_count, effective_at, settled_at)
       VALUES ($1, $2, 'credit.granted', 'credit_grant', $3, 'posted', 2, now(), now())`,
      [`ltx_e2e${tail}`, merchantId, id],
    );
    for (const [account, amount] of [
      ["cash", 10_000],
      ["prepaid", -10_000],
    ] as const) {
      await client.query(
        `INSERT INTO billing_ledger_entry (id, transaction_id, merchant_id, account, currency, amount, effective_at)
         VALUES ($1, $2, $3, $4, 'EUR', $5, now())`,
        [`lent_e2e${tail}${account}`, `ltx_e2e${tail}`, merchantId, account, amount],
      );
      await client.query(
        `INSERT INTO billing_ledger_balance (merchant_id, account, currency, posted, pending) VALUES ($1, $2, 'EUR', $3, 0)`,
        [merchantId, account, amount],
      );
    }
    await client.query("COMMIT");
    return id;
  });
