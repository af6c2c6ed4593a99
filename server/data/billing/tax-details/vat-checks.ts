import { type Sql, statement } from "../../client.ts";

export type VatCheckResult = "valid" | "invalid" | "unavailable";

export type VatCheckRow = {
  merchantId: string;
  vatNumber: string;
  /** null: not checked yet */
  result: VatCheckResult | null;
  checkedAt: Date | null;
  attempts: number;
};

const columns = `merchant_id AS "merchantId", vat_number AS "vatNumber", result, checked_at AS "checkedAt", attempts`;

const find = statement<VatCheckRow>(
  "find_vat_check",
  `SELECT ${columns} FROM billing_vat_check WHERE merchant_id = $1 AND vat_number = $2`,
);

export const findVatCheck = async (sql: Sql, merchantId: string, vatNumber: string): Promise<VatCheckRow | null> =>
  (await sql.query(find, [merchantId, vatNumber]))[0] ?? null;

const stopOthers = statement<never>(
  "stop_vat_checks",
  "UPDATE billing_vat_check SET due_at = NULL WHERE merchant_id = $1 AND vat_number <> $2 AND due_at IS NOT NULL",
);
const request = statement<never>(
  "request_vat_check",
  `INSERT INTO billing_vat_check (merchant_id, vat_number, due_at) VALUES ($1, $2, $3::timestamptz)
   ON CONFLICT (merchant_id, vat_number) DO UPDATE SET due_at = excluded.due_at, attempts = 0
     WHERE billing_vat_check.result IS DISTINCT FROM 'valid'`,
);

/** Only the merchant's current number is checked, and a valid one isn't checked again. @param vatNumber null: none */
export const requestVatCheck = async (
  sql: Sql,
  merchantId: string,
  { vatNumber, at }: { vatNumber: string | null; at: Date },
): Promise<void> => {
  await sql.query(stopOthers, [merchantId, vatNumber ?? ""]);
  if (vatNumber !== null) await sql.query(request, [merchantId, vatNumber, at]);
};

const claim = statement<VatCheckRow>(
  "claim_vat_check",
  `UPDATE billing_vat_check SET due_at = $2::timestamptz, attempts = attempts + 1
    WHERE (merchant_id, vat_number) = (SELECT merchant_id, vat_number FROM billing_vat_check WHERE due_at <= $1::timestamptz
      ORDER BY due_at, merchant_id LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING ${columns}`,
);

/** Claims the next check that is due, for one worker until `leaseUntil`. */
export const claimVatCheck = async (sql: Sql, now: Date, leaseUntil: Date): Promise<VatCheckRow | null> =>
  (await sql.query(claim, [now, leaseUntil]))[0] ?? null;

const record = statement<{ attempts: number }>(
  "record_vat_check",
  `UPDATE billing_vat_check SET result = $4, checked_at = $5::timestamptz, due_at = $6::timestamptz
    WHERE merchant_id = $1 AND vat_number = $2 AND attempts = $3::int AND due_at IS NOT NULL RETURNING attempts`,
);

/** @returns false if the check was repeated or ended after the claim. */
export const recordVatCheck = async (
  sql: Sql,
  { merchantId, vatNumber, attempts }: VatCheckRow,
  outcome: { result: VatCheckResult; checkedAt: Date; dueAt: Date | null },
): Promise<boolean> => {
  const { result, checkedAt, dueAt } = outcome;
  return (await sql.query(record, [merchantId, vatNumber, attempts, result, checkedAt, dueAt])).length > 0;
};
