import { type Exact, roundToMinor } from "../exact/exact.ts";
import type { ComputedLine, LineKind } from "./types.ts";

/** A line before coupons and tax. Its `discount` includes only the discount for the plan's maximum. */
export type DraftLine = Omit<ComputedLine, "net">;

type Fields = Pick<DraftLine, "meter" | "description" | "period" | "plan" | "quantity" | "tax" | "events"> & {
  exact: Exact;
};

/** The amount is rounded once, half to even. */
export const draftLine = (kind: LineKind, fields: Fields): DraftLine => ({
  ...fields,
  kind,
  pricedExact: fields.exact,
  amount: roundToMinor(fields.exact),
  discount: 0n,
});
