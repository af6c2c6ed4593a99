import {
  listMeterResults,
  listReconciledDays,
  type MeterResult,
  type ReconciledDay,
  type ResultPlace,
} from "../../../data/billing/meters/reconciliation-lists.ts";
import type { Deps } from "../../../deps/deps.ts";

const maxDays = 7;

type Input = {
  merchantId?: string | undefined;
  day?: Date | undefined;
  isDifferent: boolean;
  after: ResultPlace | null;
  limit: number;
};

type Reconciliation = { days: ReconciledDay[]; results: MeterResult[]; hasMore: boolean };

/** The last compared days, and the results per merchant, day and meter, newest day first. */
export const listReconciliation = async ({ db }: Pick<Deps, "db">, input: Input): Promise<Reconciliation> => {
  const { merchantId = null, day = null, isDifferent, after, limit } = input;
  const days = await listReconciledDays(db.sql, maxDays);
  const results = await listMeterResults(db.sql, { merchantId, day, isDifferent, after, limit });
  return { days, results: results.slice(0, limit), hasMore: results.length > limit };
};
