import type { listReconciliation } from "../../../billing/meters/reconciliation/list-reconciliation.ts";

type Reconciliation = Awaited<ReturnType<typeof listReconciliation>>;
type Result = Reconciliation["results"][number];

const dayText = (day: Date): string => day.toISOString().slice(0, 10);

/** The position of a result as one text. Names of meters and ids contain no `~`. */
const formatResultPlace = ({ day, merchantId, meter }: Pick<Result, "day" | "merchantId" | "meter">): string =>
  [dayText(day), merchantId, meter].join("~");

const toResult = (result: Result) => ({
  place: formatResultPlace(result),
  day: dayText(result.day),
  meter: result.meter,
  merchant: { id: result.merchantId, name: result.merchantName },
  metered: { count: Number(result.meteredCount), quantity: result.meteredQuantity },
  source: { count: Number(result.sourceCount), quantity: result.sourceQuantity },
  /** null: the quantity isn't an amount */
  currencies: result.currencies,
  isDifferent: result.meteredCount !== result.sourceCount || result.meteredQuantity !== result.sourceQuantity,
  checkedAt: result.checkedAt.toISOString(),
});

export const toReconciliation = ({ days, results, hasMore }: Reconciliation) => ({
  days: days.map(({ day, compared, differences, checkedAt }) => ({
    day: dayText(day),
    compared: Number(compared),
    differences: Number(differences),
    checkedAt: checkedAt.toISOString(),
  })),
  results: results.map(toResult),
  hasMore,
});

export type OperatorReconciliation = ReturnType<typeof toReconciliation>;
