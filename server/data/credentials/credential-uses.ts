import { type Sql, statement } from "../client.ts";

export type CredentialUse = {
  mandateId: string;
  useHash: string;
  chargeId: string;
  chargedAt: Date;
  spendId: string | null;
  expiresAt: Date;
};

const insertUse = statement<{ useHash: string }>(
  "insert_credential_use",
  `INSERT INTO credential_use (mandate_id, use_hash, charge_id, charged_at, spend_id, expires_at)
   VALUES ($1, $2, $3, $4::timestamptz, $5, $6::timestamptz)
   ON CONFLICT (mandate_id, use_hash) DO NOTHING RETURNING use_hash AS "useHash"`,
);

/** At most one caller per (mandate, use) gets true. Call it in the transaction that reserves the charge. */
export const consumeCredential = async (sql: Sql, use: CredentialUse): Promise<boolean> => {
  const { mandateId, useHash, chargeId, chargedAt, spendId, expiresAt } = use;
  return (await sql.query(insertUse, [mandateId, useHash, chargeId, chargedAt, spendId, expiresAt])).length === 1;
};

const deleteUse = statement<never>("give_back_credential_use", "DELETE FROM credential_use WHERE charge_id = $1");

/** A charge that was never sent consumed nothing: its presentation or token may be used for another attempt. */
export const giveBackCredential = async (sql: Sql, chargeId: string): Promise<void> => {
  await sql.query(deleteUse, [chargeId]);
};

/** The amount that one payment with a mandate token currently holds or uses, and the time of the payment. */
export type Spending = { amountMinor: bigint; at: Date };

const findSpendings = statement<Spending>(
  "find_spendings_of_token",
  `SELECT CASE WHEN c.state IN ('captured', 'partially_captured', 'partially_refunded', 'refunded', 'disputed')
       THEN c.amount_captured ELSE c.amount END AS "amountMinor", c.created_at AS at
   FROM credential_use u JOIN charge c ON c.id = u.charge_id AND c.created_at = u.charged_at
   WHERE u.spend_id = $1 AND u.mandate_id = $2 AND c.state NOT IN ('declined', 'voided', 'expired')`,
);

/** Amounts held and used with one mandate token. Failed payments and released amounts don't count. */
export const findSpendingsOfToken = (sql: Sql, token: { spendId: string; mandateId: string }): Promise<Spending[]> =>
  sql.query(findSpendings, [token.spendId, token.mandateId]);
