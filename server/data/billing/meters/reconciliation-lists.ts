import { type Sql, statement } from "../../client.ts";

export type ReconciledDay = { day: Date; compared: bigint; differences: bigint; checkedAt: Date };

const listDays = statement<ReconciledDay>(
  "list_reconciled_days",
  `SELECT day, compared, differences, checked_at AS "checkedAt" FROM meter_reconciliation_day ORDER BY day DESC LIMIT $1::int`,
);

/** Newest first. */
export const listReconciledDays = (sql: Sql, limit: number): Promise<ReconciledDay[]> => sql.query(listDays, [limit]);

const findDay = statement<{ day: Date }>(
  "find_reconciled_day",
  "SELECT day FROM meter_reconciliation_day WHERE day = $1::timestamptz",
);

/** Whether a UTC day was compared. */
export const isReconciledDay = async (sql: Sql, day: Date): Promise<boolean> =>
  (await sql.query(findDay, [day])).length > 0;

export type MeterResult = {
  merchantId: string;
  merchantName: string;
  day: Date;
  meter: string;
  meteredCount: bigint;
  meteredQuantity: string;
  sourceCount: bigint;
  sourceQuantity: string;
  checkedAt: Date;
};

/** The position of a result in the list. */
export type ResultPlace = { day: Date; merchantId: string; meter: string };

const columns = `r.merchant_id AS "merchantId", m.display_name AS "merchantName", r.day, r.meter, r.metered_count AS "meteredCount",
          r.metered_quantity::text AS "meteredQuantity", r.source_count AS "sourceCount", r.source_quantity::text AS "sourceQuantity",
          r.checked_at AS "checkedAt"`;
const page = `AND ($2::timestamptz IS NULL OR r.day = $2)
      AND ($3::timestamptz IS NULL OR (r.day, r.merchant_id, r.meter) < ($3::timestamptz, $4::text, $5::text COLLATE "C"))
    ORDER BY r.day DESC, r.merchant_id DESC, r.meter DESC LIMIT $6::int`;
const different = "(r.metered_count <> r.source_count OR r.metered_quantity <> r.source_quantity)";
const listOf = (name: string, condition: string) =>
  statement<MeterResult>(
    name,
    `SELECT ${columns} FROM meter_reconciliation r LEFT JOIN merchant m ON m.id = r.merchant_id WHERE ${condition} ${page}`,
  );

const lists = {
  all: listOf("list_reconciliation", "($1::text IS NULL OR true)"),
  different: listOf("list_reconciliation_differences", `($1::text IS NULL OR true) AND ${different}`),
  merchant: listOf("list_reconciliation_of_merchant", "r.merchant_id = $1"),
  merchantDifferent: listOf("list_differences_of_merchant", `r.merchant_id = $1 AND ${different}`),
};

type ResultQuery = {
  merchantId: string | null;
  /** a UTC day; null: all */
  day: Date | null;
  isDifferent: boolean;
  after: ResultPlace | null;
  limit: number;
};

/** Newest day first. Returns `limit` + 1 if there are more. */
export const listMeterResults = (sql: Sql, query: ResultQuery): Promise<MeterResult[]> => {
  const { merchantId, day, isDifferent, after, limit } = query;
  const ofMerchant = isDifferent ? lists.merchantDifferent : lists.merchant;
  const ofAll = isDifferent ? lists.different : lists.all;
  return sql.query(merchantId === null ? ofAll : ofMerchant, [
    merchantId,
    day,
    after?.day ?? null,
    after?.merchantId ?? null,
    after?.meter ?? null,
    limit + 1,
  ]);
};

type ChargedDay = { merchantId: string; day: Date };

// One look-up per currency: a merchant may have charged thousands of different amounts on a day.
const findCurrencies = statement<ChargedDay & { currencies: string[] }>(
  "find_charged_currencies",
  `SELECT p.merchant_id AS "merchantId", p.day, ARRAY(
     WITH RECURSIVE own AS (
       SELECT (SELECT min(currency) FROM charge_amount_day a WHERE a.merchant_id = p.merchant_id) AS currency
       UNION ALL SELECT (SELECT min(currency) FROM charge_amount_day a WHERE a.merchant_id = p.merchant_id AND a.currency > own.currency)
         FROM own WHERE own.currency IS NOT NULL
     ) SELECT own.currency::text FROM own WHERE EXISTS (
       SELECT FROM charge_amount_day a WHERE a.merchant_id = p.merchant_id AND a.currency = own.currency AND a.day = p.day)
     ORDER BY 1) AS currencies
   FROM unnest($1::text[], $2::timestamptz[]) p (merchant_id, day)`,
);

/** The currencies in which merchants captured charges on UTC days. A day that wasn't compared yet has none. */
export const findCurrenciesOfDays = (
  sql: Sql,
  days: readonly ChargedDay[],
): Promise<(ChargedDay & { currencies: string[] })[]> =>
  days.length === 0
    ? Promise.resolve([])
    : sql.query(findCurrencies, [days.map(({ merchantId }) => merchantId), days.map(({ day }) => day.toISOString())]);
