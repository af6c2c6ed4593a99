import type { AccountReport, NewAccount } from "../../kernel/processor-account.ts";
import { type Sql, statement } from "../client.ts";

/** A request to create an account. Its result isn't recorded yet. */
export type AccountRequestRow = { key: string; details: NewAccount; requestedAt: Date };

const requestColumns = `key, details, requested_at AS "requestedAt"`;

const insertRequest = statement<AccountRequestRow>(
  "insert_processor_account_request",
  `INSERT INTO processor_account_request (merchant_id, key, details, requested_at)
   VALUES ($1, $2, $3::jsonb, $4::timestamptz)
   ON CONFLICT (merchant_id) DO UPDATE SET key = processor_account_request.key RETURNING ${requestColumns}`,
);

/** A merchant has at most one open request. @returns the new request, or the one that was already open. */
export const insertAccountRequest = async (
  sql: Sql,
  request: { key: string; details: NewAccount; at: Date },
): Promise<AccountRequestRow> => {
  const { key, details, at } = request;
  const [row] = await sql.query(insertRequest, [details.merchantId, key, JSON.stringify(details), at]);
  if (!row) throw new Error("INSERT … DO UPDATE returned no row");
  return row;
};

const deleteRequest = statement<never>(
  "delete_processor_account_request",
  "DELETE FROM processor_account_request WHERE merchant_id = $1 AND key = $2",
);

/** Ends one request. A newer request of the merchant, with another key, isn't ended. */
export const deleteAccountRequest = async (sql: Sql, merchantId: string, key: string): Promise<void> => {
  await sql.query(deleteRequest, [merchantId, key]);
};

const setAccount = statement<{ id: string }>(
  "set_merchant_processor_account",
  `UPDATE merchant SET processor_account = $3 WHERE id = $1 AND processor = $2 AND processor_account = '' RETURNING id`,
);

/** @returns false if the merchant already has an account. */
export const updateProcessorAccount = async (
  sql: Sql,
  { merchantId, processor, account }: { merchantId: string; processor: string; account: string },
): Promise<boolean> => (await sql.query(setAccount, [merchantId, processor, account])).length === 1;

export type ConnectedAccountRow = AccountReport & {
  merchantId: string;
  processor: string;
  /** empty until it is created */
  account: string;
  /** null: the processor hasn't reported on it */
  checkedAt: Date | null;
  /** 0: the processor hasn't reported on it */
  version: number;
};

const accountColumns = `m.id AS "merchantId", m.processor, m.processor_account AS account,
  m.charges_enabled AS "chargesEnabled", coalesce(o.payouts_enabled, false) AS "payoutsEnabled",
  coalesce(o.details_submitted, false) AS "detailsSubmitted", coalesce(o.requirements_due, '{}') AS due,
  coalesce(o.requirements_past_due, '{}') AS "pastDue", coalesce(o.requirements_pending, '{}') AS pending,
  o.due_by AS "dueBy", o.disabled_reason AS "disabledReason", o.checked_at AS "checkedAt",
  coalesce(o.version, 0) AS version`;

const findOfMerchant = statement<ConnectedAccountRow>(
  "find_processor_account_of_merchant",
  `SELECT ${accountColumns} FROM merchant m LEFT JOIN processor_onboarding o ON o.merchant_id = m.id WHERE m.id = $1`,
);

export const findAccountOfMerchant = async (sql: Sql, merchantId: string): Promise<ConnectedAccountRow | null> =>
  (await sql.query(findOfMerchant, [merchantId]))[0] ?? null;

const findMerchant = statement<{ id: string }>(
  "find_merchant_of_processor_account",
  "SELECT id FROM merchant WHERE processor_account = $2 AND processor = $1 AND processor_account <> ''",
);

export const findMerchantOfAccount = async (sql: Sql, processor: string, account: string): Promise<string | null> =>
  (await sql.query(findMerchant, [processor, account]))[0]?.id ?? null;

const record = statement<{ version: number }>(
  "record_processor_report",
  `INSERT INTO processor_onboarding AS o (merchant_id, details_submitted, payouts_enabled, requirements_due,
     requirements_past_due, requirements_pending, due_by, disabled_reason, checked_at, version)
   VALUES ($1, $2::boolean, $3::boolean, $4::text[], $5::text[], $6::text[], $7::timestamptz, $8, $9::timestamptz, $10::int + 1)
   ON CONFLICT (merchant_id) DO UPDATE
     SET details_submitted = excluded.details_submitted, payouts_enabled = excluded.payouts_enabled,
         requirements_due = excluded.requirements_due, requirements_past_due = excluded.requirements_past_due,
         requirements_pending = excluded.requirements_pending, due_by = excluded.due_by,
         disabled_reason = excluded.disabled_reason, checked_at = excluded.checked_at, version = excluded.version
   WHERE o.version = $10::int RETURNING version`,
);

const setCharges = statement<never>(
  "set_merchant_charges_enabled",
  "UPDATE merchant SET charges_enabled = $2::boolean WHERE id = $1 AND charges_enabled <> $2::boolean",
);

/**
 * @param version the version of the last recorded report at the time when this report was requested.
 * @returns false, and records nothing, if another report was recorded since.
 */
export const recordAccountReport = async (
  sql: Sql,
  { merchantId, report, version, at }: { merchantId: string; report: AccountReport; version: number; at: Date },
): Promise<boolean> => {
  const { detailsSubmitted, payoutsEnabled, due, pastDue, pending, dueBy, disabledReason } = report;
  const values = [detailsSubmitted, payoutsEnabled, due, pastDue, pending, dueBy, disabledReason, at, version];
  if ((await sql.query(record, [merchantId, ...values])).length === 0) return false;
  await sql.query(setCharges, [merchantId, report.chargesEnabled]);
  return true;
};

const due = statement<{ id: string }>(
  "list_due_processor_accounts",
  `SELECT m.id FROM merchant m LEFT JOIN processor_onboarding o ON o.merchant_id = m.id
    WHERE m.processor = $1 AND m.processor_account <> ''
      AND (o.checked_at IS NULL OR o.checked_at < (CASE WHEN m.charges_enabled THEN $3 ELSE $2 END)::timestamptz)
    ORDER BY o.checked_at NULLS FIRST LIMIT $4::int`,
);

/** Merchants whose account wasn't read since `openBefore` or, if the account accepts charges, since `enabledBefore`. */
export const listDueAccounts = async (
  sql: Sql,
  {
    processor,
    openBefore,
    enabledBefore,
    limit,
  }: {
    processor: string;
    openBefore: Date;
    enabledBefore: Date;
    limit: number;
  },
): Promise<string[]> => (await sql.query(due, [processor, openBefore, enabledBefore, limit])).map(({ id }) => id);

const clear = statement<{ id: string }>(
  "clear_disconnected_processor_account",
  `WITH gone AS (
     DELETE FROM processor_onboarding WHERE merchant_id = $1 AND disabled_reason = $3 RETURNING merchant_id
   )
   UPDATE merchant m SET processor_account = '' FROM gone
    WHERE m.id = gone.merchant_id AND m.processor_account = $2 AND NOT m.charges_enabled RETURNING m.id`,
);

/**
 * Removes the account if it was reported as disconnected. Call it in a transaction that has locked the merchant and
 * then read its account.
 * @returns whether the account was removed.
 */
export const clearDisconnectedAccount = async (
  sql: Sql,
  { merchantId, account, disabledReason }: { merchantId: string; account: string; disabledReason: string },
): Promise<boolean> => (await sql.query(clear, [merchantId, account, disabledReason])).length === 1;
