import { meterTitle } from "#server/kernel/billing/meter-title.ts";

const kinds: Readonly<Record<string, string>> = {
  flat: "Flat fees",
  true_up: "Minimums",
  sla_credit: "SLA credits",
  proration: "Prorations",
  late: "Late usage",
};

/** The name of a meter, or of a kind of invoice lines that has no meter. */
export const meterName = (item: string): string => kinds[item] ?? meterTitle(item);
