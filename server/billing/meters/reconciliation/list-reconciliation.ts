import {
  findCurrenciesOfDays,
  listMeterResults,
  listReconciledDays,
  type MeterResult,
  type ReconciledDay,
  type ResultPlace,
} from "../../../data/billing/meters/reconciliation-lists.ts";
import type { Sql } from "../../../data/client.ts";
import type { Deps } from "../../../deps/deps.ts";

const maxDays = 7;

type Input = {
  merchantId?: string | undefined;
  day?: Date | undefined;
  isDifferent: boolean;
  after: ResultPlace | null;
  limit: number;
};

/** `currencies`: those of the charges whose amounts are added up; null if the quantity isn't an amount. */
type Result = MeterResult & { currencies: readonly string[] | null };

type Reconciliation = { days: ReconciledDay[]; results: Result[]; hasMore: boolean };

/** The only meter whose quantity is an amount: the sum of its charges. */
const amountMeter = "successful_charges";

const withCurrencies = async (sql: Sql, results: readonly MeterResult[]): Promise<Result[]> => {
  const charged = await findCurrenciesOfDays(
    sql,
    results.filter(({ meter }) => meter === amountMeter),
  );
  const keyOf = ({ merchantId, day }: Pick<MeterResult, "merchantId" | "day">) => `${merchantId} ${day.getTime()}`;
  const found = new Map(charged.map((one) => [keyOf(one), one.currencies]));
  return results.map((one) => ({
    ...one,
    currencies: one.meter === amountMeter ? (found.get(keyOf(one)) ?? []) : null,
  }));
};

/** The last compared days, and the results per merchant, day and meter, newest day first. */
export const listReconciliation = async ({ db }: Pick<Deps, "db">, input: Input): Promise<Reconciliation> => {
  const { merchantId = null, day = null, isDifferent, after, limit } = input;
  const days = await listReconciledDays(db.sql, maxDays);
  const results = await listMeterResults(db.sql, { merchantId, day, isDifferent, after, limit });
  return { days, results: await withCurrencies(db.sql, results.slice(0, limit)), hasMore: results.length > limit };
};
