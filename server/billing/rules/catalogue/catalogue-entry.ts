import type { CouponDefinition } from "../plans/coupon.wire.ts";
import type { PlanDefinition } from "../plans/plan.wire.ts";
import type { TaxRateDefinition } from "../plans/tax-rate.wire.ts";

/** One plan, coupon or tax rate of a catalogue file. */
export type CatalogueEntry =
  | {
      kind: "plan";
      id: string;
      definition: PlanDefinition;
      /** accepts no new subscriptions */
      isRetired: boolean;
      /** existing subscriptions move to the newest version at the start of their next period */
      isMigrating: boolean;
    }
  | { kind: "coupon"; id: string; definition: CouponDefinition }
  | { kind: "tax_rate"; id: string; definition: TaxRateDefinition };

export type CatalogueKind = CatalogueEntry["kind"];

/** The sections of a catalogue file, in the order in which they are checked and applied. */
export const sectionOf: Readonly<Record<CatalogueKind, string>> = {
  plan: "plans",
  coupon: "coupons",
  tax_rate: "tax_rates",
};

/** The JSON pointer of an entry, or of a value in it, in a catalogue file. Ids contain neither `~` nor `/`. */
export const pointerTo = ({ kind, id }: { kind: CatalogueKind; id: string }, ...path: readonly string[]): string =>
  ["", sectionOf[kind], id, ...path].join("/");
