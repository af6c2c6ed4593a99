import { type Sql, statement } from "../../client.ts";

/** A card for invoices that a member of a merchant is entering on the processor's page. */
export type BillingCardSetupRow = {
  id: string;
  merchantId: string;
  processor: string;
  setupRef: string;
  /** `ended`: no card was entered, or another card was set in the meantime */
  state: "open" | "added" | "ended";
  /** of the card that was set */
  label: string | null;
  /** account of the member */
  begunBy: string;
  expiresAt: Date;
};

const columns = `s.id, s.merchant_id AS "merchantId", s.processor, s.setup_ref AS "setupRef", s.state, s.label,
  s.begun_by AS "begunBy", s.expires_at AS "expiresAt"`;

const insert = statement<never>(
  "insert_billing_card_setup",
  `INSERT INTO billing_card_setup (id, merchant_id, processor, setup_ref, begun_by, created_at, expires_at, next_lookup_at)
   VALUES ($1, $2, $3, $4, $5, $6::timestamptz, $7::timestamptz, $8::timestamptz)`,
);

type NewSetup = Omit<BillingCardSetupRow, "state" | "label"> & { createdAt: Date; nextLookupAt: Date };

export const insertBillingCardSetup = async (sql: Sql, setup: NewSetup): Promise<void> => {
  const { id, merchantId, processor, setupRef, begunBy, createdAt, expiresAt, nextLookupAt } = setup;
  await sql.query(insert, [id, merchantId, processor, setupRef, begunBy, createdAt, expiresAt, nextLookupAt]);
};

const find = statement<BillingCardSetupRow>(
  "find_billing_card_setup",
  `SELECT ${columns} FROM billing_card_setup s WHERE s.id = $1 AND s.merchant_id = $2`,
);

export const findBillingCardSetup = async (
  sql: Sql,
  { setupId, merchantId }: { setupId: string; merchantId: string },
): Promise<BillingCardSetupRow | null> => (await sql.query(find, [setupId, merchantId]))[0] ?? null;

const complete = statement<{ id: string }>(
  "complete_billing_card_setup",
  `UPDATE billing_card_setup SET state = 'added', label = $2, next_lookup_at = NULL
   WHERE id = $1 AND state = 'open' RETURNING id`,
);

/** At most one caller completes a setup. */
export const completeBillingCardSetup = async (sql: Sql, id: string, label: string): Promise<boolean> =>
  (await sql.query(complete, [id, label])).length === 1;

const end = statement<{ id: string }>(
  "end_billing_card_setup",
  "UPDATE billing_card_setup SET state = 'ended', next_lookup_at = NULL WHERE id = $1 AND state = 'open' RETURNING id",
);

/** At most one caller ends a setup. */
export const endBillingCardSetup = async (sql: Sql, id: string): Promise<boolean> =>
  (await sql.query(end, [id])).length === 1;

const endAll = statement<never>(
  "end_billing_card_setups_of_merchant",
  "UPDATE billing_card_setup SET state = 'ended', next_lookup_at = NULL WHERE merchant_id = $1 AND state = 'open'",
);

/** Ends a merchant's open setups without a card. Lock the merchant first. */
export const endBillingCardSetupsOf = async (sql: Sql, merchantId: string): Promise<void> => {
  await sql.query(endAll, [merchantId]);
};

const claimDue = statement<BillingCardSetupRow>(
  "claim_due_billing_card_setups",
  `WITH due AS (
     SELECT id FROM billing_card_setup WHERE next_lookup_at <= $1::timestamptz
     ORDER BY next_lookup_at LIMIT $2::int FOR UPDATE SKIP LOCKED
   )
   UPDATE billing_card_setup s SET lookups = s.lookups + 1,
     next_lookup_at = $1::timestamptz + least(power(2, least(s.lookups, 10)), 60) * interval '1 minute'
   FROM due WHERE s.id = due.id RETURNING ${columns}`,
);

/** Claims due setups, each for one caller. A claimed setup is due again after 1, 2, 4 … minutes, at most an hour. */
export const claimDueBillingCardSetups = (
  sql: Sql,
  { now, limit }: { now: Date; limit: number },
): Promise<BillingCardSetupRow[]> => sql.query(claimDue, [now, limit]);
