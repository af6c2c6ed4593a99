import { listSupplies } from "../../../data/billing/subscriptions/supplies.ts";
import type { Sql } from "../../../data/client.ts";
import { type Exact, multiplyRatio, parseExact } from "../../rules/exact/exact.ts";

type Fee = { currency: string; meter: string; periodFrom: Date; fee: Exact };

/**
 * The fees minus the parts that credit notes or void invoices have canceled. Canceled fees can't be refunded, and no
 * SLA credit is given for them.
 */
export const keptFees = async <One extends Fee>(
  sql: Sql,
  subscriptionId: string,
  fees: readonly One[],
): Promise<One[]> => {
  if (fees.length === 0) return [];
  const starts = fees.map(({ periodFrom }) => periodFrom);
  const supplies = await listSupplies(sql, subscriptionId, starts);
  const byKey = new Map(supplies.map((supply) => [keyOf(supply), supply]));
  return fees.map((one) => {
    const { billed = "0", kept = "0" } = byKey.get(keyOf(one)) ?? {};
    return { ...one, fee: keptPart(one.fee, parseExact(billed), parseExact(kept)) };
  });
};

const keyOf = ({ currency, meter, periodFrom }: Omit<Fee, "fee">): string =>
  `${currency} ${meter} ${periodFrom.toISOString()}`;

/** Late usage can be negative, so the result is limited to the range from zero to the fee. */
const keptPart = (fee: Exact, billed: Exact, kept: Exact): Exact => {
  if (billed <= 0n || kept >= billed) return fee;
  return kept <= 0n ? 0n : multiplyRatio(fee, kept, billed);
};
