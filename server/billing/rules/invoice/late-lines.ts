import { meterTitle } from "../../../kernel/billing/meter-title.ts";
import { type Exact, roundToMinor, toExact } from "../exact/exact.ts";
import { limitFees } from "./charge-limits.ts";
import { type DraftLine, draftLine } from "./draft-line.ts";
import { rateOf, toInvoicePrices } from "./supply-tax.ts";
import type { LatePeriod, SupplyTax } from "./types.ts";

/**
 * The corrections of an earlier period: its cost with the late usage minus its cost so far. The minimum and the maximum
 * of the period limit both costs. A correction may be negative.
 */
export const lateLines = (late: LatePeriod, invoiceTax: SupplyTax): DraftLine[] => {
  const { period, plan, tax: supply = invoiceTax } = late;
  const inPrices = (exact: Exact) => toInvoicePrices(exact, supply, invoiceTax);
  const lineOf = (fields: Pick<DraftLine, "meter" | "description" | "quantity" | "events">, change: Change) => {
    const line = draftLine("late", { ...fields, period, plan, tax: rateOf(supply), exact: inPrices(change.exact) });
    return { ...line, pricedExact: change.pricedExact, discount: roundToMinor(inPrices(change.discount)) };
  };
  let priced = late.pricedExact;
  const usage = late.corrections.flatMap(({ meter, trueExact, pricedExact, quantity, events = null }) => {
    const change = trueExact - pricedExact;
    if (change === 0n && quantity === 0n) return [];
    const before = costOf(late, priced);
    priced += change;
    const description = `Late usage: ${meterTitle(meter)}`;
    const changed = { ...changeOf(before, costOf(late, priced)), pricedExact: change };
    return [lineOf({ meter, description, quantity, events }, changed)];
  });
  const room = roomChange(late);
  if (room === 0n) return usage;
  const fields = { meter: null, description: "Late usage: maximum of the period", quantity: 0n, events: null };
  return [lineOf(fields, { exact: room, discount: 0n, pricedExact: 0n }), ...usage];
};

type Change = { exact: Exact; discount: Exact; pricedExact: Exact };
type Cost = ReturnType<typeof limitFees>;

const costOf = ({ minimum, maximum }: LatePeriod, fees: Exact, which: "before" | "after" = "after"): Cost =>
  limitFees(fees, { minimum: toExact(minimum), room: maximum === null ? null : maximum[which] });

/**
 * A line's discount is between zero and `exact`. If the change of the discount is outside this range, it is part of
 * `exact` instead.
 */
const changeOf = (before: Cost, after: Cost): Pick<Change, "exact" | "discount"> => {
  const exact = after.charged - before.charged;
  const discount = after.discount - before.discount;
  return discount >= 0n && discount <= exact ? { exact, discount } : { exact: exact - discount, discount: 0n };
};

/** The change of the period's cost because of late usage of earlier parts. Earlier parts share the period's maximum. */
const roomChange = (late: LatePeriod): Exact => {
  const [before, after] = [costOf(late, late.pricedExact, "before"), costOf(late, late.pricedExact)];
  return after.charged - after.discount - (before.charged - before.discount);
};
