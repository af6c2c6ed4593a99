import { listWaitingSlaCredits, type WaitingCredit } from "../../../data/billing/sla/sla-credits.ts";
import type { Sql } from "../../../data/client.ts";
import { utcMonth } from "../../../kernel/time/utc-month.ts";
import { parseExact } from "../../rules/exact/exact.ts";
import type { SlaCredit } from "../../rules/invoice/types.ts";
import { slaDetail } from "../../rules/sla/sla-months.ts";

/** The SLA credits that no final invoice contains yet, by currency: one line for each component, month and tax rate. */
export const loadSlaCredits = async (sql: Sql, subscriptionId: string): Promise<Map<string, SlaCredit[]>> => {
  const credits = new Map<string, SlaCredit[]>();
  for (const waiting of await listWaitingSlaCredits(sql, subscriptionId)) {
    const { currency } = waiting;
    credits.set(currency, [...(credits.get(currency) ?? []), toSlaCredit(waiting)]);
  }
  return credits;
};

const toSlaCredit = ({
  title,
  month,
  uptime,
  page,
  exact,
  taxCategory,
  taxRate,
  taxBehaviour,
}: WaitingCredit): SlaCredit => {
  const credit = {
    component: title,
    detail: slaDetail({ uptime, month, page }),
    period: utcMonth(month, 0),
    exact: -parseExact(exact),
  };
  // If the supply has no final invoice, the credit gets the tax of the invoice that contains the credit.
  if (taxCategory === null || taxRate === null || taxBehaviour === null) return credit;
  return { ...credit, tax: { category: taxCategory, rate: parseExact(taxRate), behaviour: taxBehaviour } };
};
