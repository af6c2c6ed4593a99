import type { MerchantStanding } from "../../kernel/merchant-standing.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { type Sql, statement } from "../client.ts";
import { coalesceByPool } from "../coalesce.ts";
import { standingOf } from "../merchants/standing.ts";
import { isKeyBlocked } from "../oauth/blocklist/is-key-blocked.ts";
import { isKeyActive } from "../oauth/signing-keys.ts";
import { fromStored, type MandateState, type StoredLimit, type Terms } from "./mandates.ts";

type Counters = { usedAmount: bigint; heldAmount: bigint; usedCount: bigint; heldCount: bigint };
type PeriodCounters = Counters & { limitKey: string; startsAt: Date };

/**
 * All data for a decision about a verification or a charge: the mandate, its current periods, the merchant and the
 * payment method.
 */
export type Decision = {
  mandateId: string;
  state: MandateState;
  version: number;
  clientId: string;
  payerId: string;
  budgetVisible: boolean;
  terms: Terms;
  lifetime: Counters;
  periods: readonly PeriodCounters[];
  merchant: { id: string; mcc: string; processor: string; processorAccount: string; standing: MerchantStanding };
  paymentMethodRef: string | null;
  status: { listNumber: number; index: number } | null;
};

export type DecisionRow = {
  state: MandateState;
  version: number;
  clientId: string;
  payerId: string;
  budgetVisible: boolean;
  actions: string[];
  currency: string;
  maxAmountPerPayment: bigint | null;
  maxTotalAmount: bigint | null;
  maxPayments: bigint | null;
  periodicLimits: StoredLimit[];
  timeZone: string;
  payeeMerchantIds: string[];
  payeeCategories: string[];
  validFrom: Date;
  validUntil: Date;
  payerPresence: string[];
  stepUpAbove: bigint | null;
  refundPolicy: string;
  usedAmount: bigint;
  heldAmount: bigint;
  usedCount: bigint;
  heldCount: bigint;
  merchantMcc: string;
  processor: string;
  processorAccount: string;
  merchantStanding: MerchantStanding;
  paymentMethodRef: string | null;
  listNumber: number | null;
  statusIndex: number | null;
  /** [limit_key, starts_at in ms, used, held, used count, held count], amounts as text: JSON numbers lose digits */
  periods: [string, string, string, string, string, string][] | null;
};

/** Columns for a row of `request`: the mandate `mandate_id` for the merchant `merchant_id` at `requested_at`. */
const decisionColumns = `m.state::text AS state, m.version, m.client_id AS "clientId", m.payer_id AS "payerId", m.budget_visible AS "budgetVisible",
     m.actions, m.currency, m.max_amount_per_payment AS "maxAmountPerPayment", m.max_total_amount AS "maxTotalAmount",
     m.max_payments AS "maxPayments", m.periodic_limits AS "periodicLimits", m.time_zone AS "timeZone",
     m.payee_merchant_ids AS "payeeMerchantIds", m.payee_categories AS "payeeCategories", m.valid_from AS "validFrom",
     m.valid_until AS "validUntil", m.payer_presence AS "payerPresence", m.step_up_above AS "stepUpAbove",
     m.refund_policy AS "refundPolicy", m.used_amount AS "usedAmount", m.held_amount AS "heldAmount",
     m.used_count AS "usedCount", m.held_count AS "heldCount", s.mcc AS "merchantMcc", s.processor,
     s.processor_account AS "processorAccount", ${standingOf("s")} AS "merchantStanding",
     p.processor_ref AS "paymentMethodRef", v.list_number AS "listNumber", v.status_index AS "statusIndex",
     (SELECT json_agg(json_build_array(c.limit_key, (extract(epoch FROM c.starts_at) * 1000)::bigint::text, c.used_amount::text,
        c.held_amount::text, c.used_count::text, c.held_count::text))
      FROM mandate_period c WHERE c.mandate_id = m.id AND c.starts_at <= request.requested_at AND c.ends_at > request.requested_at) AS periods`;
const decisionTables = `JOIN mandate m ON m.id = request.mandate_id AND m.state <> 'rejected'
   JOIN merchant s ON s.id = request.merchant_id
   LEFT JOIN payment_method p ON p.id = m.payment_method_id AND p.removed_at IS NULL AND p.processor = s.processor
   LEFT JOIN mandate_version v ON v.mandate_id = m.id AND v.version = m.version`;

/**
 * SQL that selects the data for decisions, if the mandate's `payees` name the merchant by id. @param requests a table
 * named `request`: position, mandate_id, merchant_id, requested_at.
 */
export const selectDecisions = (requests: string): string =>
  `SELECT request.position, ${decisionColumns} FROM ${requests} ${decisionTables} WHERE m.payee_merchant_ids @> ARRAY[request.merchant_id]`;

const findDecisionRows = statement<DecisionRow & { position: number }>(
  "find_decisions",
  selectDecisions(
    "unnest($1::int[], $2::text[], $3::text[], $4::timestamptz[]) AS request (position, mandate_id, merchant_id, requested_at)",
  ),
);

type DecisionInput = { mandateId: string; merchantId: string; at: BusinessTime };

const findTogether = coalesceByPool(async (sql: Sql, inputs: readonly DecisionInput[]) => {
  const rows = await sql.query(findDecisionRows, [
    inputs.map((_, position) => position),
    inputs.map(({ mandateId }) => mandateId),
    inputs.map(({ merchantId }) => merchantId),
    inputs.map(({ at }) => at.toISOString()),
  ]);
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  return inputs.map((input, position) => {
    const row = byPosition.get(position);
    return row ? toDecision(row, input) : null;
  });
});

/**
 * Finds the data for a decision, if the mandate's `payees` name the merchant by id. Concurrent calls share one
 * statement.
 * @returns null for any other merchant, as for a mandate that doesn't exist (docs/spec/payments.md, Who may use a
 * mandate).
 */
export const findDecision = (sql: Sql, input: DecisionInput): Promise<Decision | null> => findTogether(sql, input);

/**
 * `isUsed`: a charge was already made with this presentation, or with this proof of a mandate token. `isKeyActive`: our
 * key that signed the credential is active or retired, or was already checked. `isHolderBlocked`: the holder's key is on
 * the blocklist.
 */
type PresentedChecks = { isUsed: boolean; isKeyActive: boolean; isHolderBlocked: boolean };

const findPresentedRow = statement<DecisionRow & PresentedChecks>(
  "find_presented_decision",
  `SELECT ${decisionColumns},
     $5::text IS NULL OR ${isKeyActive("$5")} AS "isKeyActive",
     ${isKeyBlocked("$6::text")} AS "isHolderBlocked",
     EXISTS (SELECT FROM credential_use u WHERE u.mandate_id = m.id AND u.use_hash = $4) AS "isUsed"
   FROM (VALUES ($1::text, $2::text, $3::timestamptz)) AS request (mandate_id, merchant_id, requested_at) ${decisionTables}`,
);

/**
 * Finds the data for a decision about any merchant, even one that `payees` doesn't name by id: with a credential, a
 * merchant may also be a payee by its category, or because `payees` is empty. This function doesn't check `payees`.
 * @param input.kid id of our key that signed the credential; null if the key was already checked
 * @param input.holderJkt thumbprint of the holder's key
 */
export const findPresentedDecision = async (
  sql: Sql,
  input: DecisionInput & { useHash: string; kid: string | null; holderJkt: string },
): Promise<(PresentedChecks & { decision: Decision }) | null> => {
  const values = [input.mandateId, input.merchantId, input.at, input.useHash, input.kid, input.holderJkt];
  const [row] = await sql.query(findPresentedRow, values);
  if (!row) return null;
  const { isUsed, isKeyActive, isHolderBlocked } = row;
  return { decision: toDecision(row, input), isUsed, isKeyActive, isHolderBlocked };
};

export const toDecision = (row: DecisionRow, input: DecisionInput): Decision => ({
  mandateId: input.mandateId,
  state: row.state,
  version: row.version,
  clientId: row.clientId,
  payerId: row.payerId,
  budgetVisible: row.budgetVisible,
  terms: { ...row, periodicLimits: row.periodicLimits.map(fromStored) },
  lifetime: row,
  periods: (row.periods ?? []).map(toPeriodCounters),
  merchant: {
    id: input.merchantId,
    mcc: row.merchantMcc,
    processor: row.processor,
    processorAccount: row.processorAccount,
    standing: row.merchantStanding,
  },
  paymentMethodRef: row.paymentMethodRef,
  status:
    row.listNumber === null || row.statusIndex === null ? null : { listNumber: row.listNumber, index: row.statusIndex },
});

const toPeriodCounters = ([limitKey, startsAt, usedAmount, heldAmount, usedCount, heldCount]: [
  string,
  string,
  string,
  string,
  string,
  string,
]): PeriodCounters => ({
  limitKey,
  startsAt: new Date(Number(startsAt)),
  usedAmount: BigInt(usedAmount),
  heldAmount: BigInt(heldAmount),
  usedCount: BigInt(usedCount),
  heldCount: BigInt(heldCount),
});
