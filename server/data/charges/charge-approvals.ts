import type { BusinessTime } from "../../kernel/time/clock.ts";
import { type Sql, statement } from "../client.ts";
import { spanOf } from "../dated.ts";
import { type ChargeRow, chargeColumns, hasActiveMerchant, keepsPaymentMethod } from "./charges.ts";

const findWaiting = statement<{ count: number; firstExpiresAt: Date | null }>(
  "find_waiting_charges",
  `SELECT count(*)::int AS count, min(expires_at) AS "firstExpiresAt" FROM charge
    WHERE mandate_id = $1 AND merchant_id = $2 AND state = 'requires_action' AND submitted_at IS NULL
      AND expires_at > $3::timestamptz AND created_at > $3::timestamptz - interval '1 day'`,
);

/** The charges of a mandate and a merchant that wait for the payer's approval. Each waits for at most 15 minutes. */
export const findWaitingCharges = async (
  sql: Sql,
  input: { mandateId: string; merchantId: string; at: BusinessTime },
): Promise<{ count: number; firstExpiresAt: Date | null }> => {
  const [row] = await sql.query(findWaiting, [input.mandateId, input.merchantId, input.at]);
  return row ?? { count: 0, firstExpiresAt: null };
};

const approve = statement<ChargeRow>(
  "approve_charge",
  `WITH active AS (
     SELECT id FROM mandate WHERE id = $2 AND state = 'active' AND valid_until > $3::timestamptz FOR NO KEY UPDATE
   )
   UPDATE charge c SET state = 'submitted', approved_at = $3::timestamptz, submitted_at = $8::timestamptz, updated_at = $3::timestamptz,
     expires_at = NULL, lease_until = $4::timestamptz, next_lookup_at = $5::timestamptz, lookups = 0
   FROM active
   WHERE c.id = $1 AND c.mandate_id = active.id AND c.state = 'requires_action' AND c.submitted_at IS NULL
     AND (c.next_action ->> 'expires_at')::timestamptz > $3::timestamptz
     AND c.created_at BETWEEN $6::timestamptz AND $7::timestamptz
     AND ${hasActiveMerchant("c")} AND ${keepsPaymentMethod("c")}
   RETURNING ${chargeColumns}`,
);

/**
 * At most one caller makes a waiting charge `submitted`, and only while its mandate and its merchant are active and its
 * payment method exists. The mandate is locked, so a revocation is committed either before or after this change. The
 * transaction has locked the mandate before this statement, which therefore reads the state after all waiting. Every
 * other caller gets null and has changed nothing.
 */
export const updateApproved = async (
  sql: Sql,
  input: {
    chargeId: string;
    mandateId: string;
    at: BusinessTime;
    submittedAt: Date;
    leaseUntil: Date;
    nextLookupAt: Date;
  },
): Promise<ChargeRow | null> => {
  const { chargeId, mandateId, at, submittedAt, leaseUntil, nextLookupAt } = input;
  const values = [chargeId, mandateId, at, leaseUntil, nextLookupAt, ...spanOf(chargeId), submittedAt];
  return (await sql.query(approve, values))[0] ?? null;
};

type Parties = { email: string | null; locale: string; timeZone: string; merchantName: string; clientName: string };

const findParties = statement<Parties>(
  "find_approval_parties",
  `SELECT CASE WHEN a.deleted_at IS NULL THEN a.email END AS email, a.locale, a.time_zone AS "timeZone", m.display_name AS "merchantName", c.name AS "clientName"
   FROM account a, merchant m, client c WHERE a.id = $1 AND m.id = $2 AND c.id = $3`,
);

/**
 * The payer who is asked to approve, and the merchant who asks, by the names that the payer knows. A deleted account
 * has no address.
 */
export const getApprovalParties = async (
  sql: Sql,
  charge: { payerId: string; merchantId: string; agentClientId: string },
): Promise<Parties> => {
  const [parties] = await sql.query(findParties, [charge.payerId, charge.merchantId, charge.agentClientId]);
  if (!parties) throw new Error("the charge's payer, merchant or client does not exist");
  return parties;
};

const takeMail = statement<{ isLast: boolean }>(
  "take_approval_mail",
  `WITH known AS (
     SELECT id, approval_mails_at AS at FROM mandate WHERE id = $1 FOR NO KEY UPDATE
   )
   UPDATE mandate m SET approval_mails_at = (ARRAY[$2::timestamptz] || known.at)[1:$3::int] FROM known
   WHERE m.id = known.id AND (known.at[$3::int] IS NULL OR known.at[$3::int] <= $4::timestamptz
                              OR known.at[$3::int] > $2::timestamptz + interval '1 minute')
   RETURNING $3::int = 1 OR coalesce(known.at[$3::int - 1] > $4::timestamptz, false) AS "isLast"`,
);

/**
 * Counts an e-mail to the mandate's payer. At most `limit` e-mails after `since` are allowed. The caller's transaction
 * locks the mandate. E-mails with a future time were sent before the clock stepped back, and don't count.
 * @returns null if the limit was reached before. `isLast`: whether this e-mail reaches the limit.
 */
export const takeApprovalMail = async (
  sql: Sql,
  { mandateId, at, limit, since }: { mandateId: string; at: Date; limit: number; since: Date },
): Promise<{ isLast: boolean } | null> => (await sql.query(takeMail, [mandateId, at, limit, since]))[0] ?? null;
