import { meterTitle } from "#server/kernel/billing/meter-title.ts";

const kinds: Readonly<Record<string, string>> = {
  flat: "Flat fees",
  true_up: "Minimums",
  sla_credit: "SLA credits",
  proration: "Prorations",
};

/** A meter, or the kind of lines without a meter. */
export const meterName = (item: string): string => kinds[item] ?? meterTitle(item);
