import { sumInvoicesWithin } from "../../data/billing/spend/spend-history.ts";
import { type BillingPeriodRow, findDraftPeriods } from "../../data/billing/subscriptions/billing-periods.ts";
import type { SubscriptionRow } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import { computeInvoice } from "../rules/invoice/compute-invoice.ts";
import type { ComputedInvoice, InvoiceInput } from "../rules/invoice/types.ts";
import { gatherInvoices } from "../subscriptions/gather/gather-invoices.ts";

export type PeriodSpend = {
  currency: string;
  /** the input from which the invoice is computed */
  input: InvoiceInput;
  /** the invoice of the current part, with the usage so far and without credits */
  invoice: ComputedInvoice;
  /** the invoice totals of the parts that a change of plan has ended */
  earlierMinor: bigint;
};

const nothing = { parts: [], late: [], refunds: [], slaCredits: [], voided: [], coupons: [] };

type Query = { row: SubscriptionRow; open: BillingPeriodRow; at: Date };

/**
 * The cost of the current period so far, by currency. It is computed like the period's invoices, but without the list
 * of the events behind each line (docs/spec/billing.md, Spend).
 */
export const readPeriodSpend = async (sql: Sql, { row, open, at }: Query): Promise<PeriodSpend[]> => {
  const { inputs } = await gatherInvoices(sql, { row, period: open, asOf: at, maxEvents: 0n });
  const ended = { from: open.wholeFrom, to: open.from };
  const earlier = open.from > open.wholeFrom ? await sumInvoicesWithin(sql, row.id, ended) : new Map<string, bigint>();
  // Late usage, SLA credits and credits of void invoices are on the first invoice that isn't final.
  const hasDraft = (await findDraftPeriods(sql, row.id)).length > 0;
  // An earlier part may have had other currencies.
  const only = [...earlier.keys()].filter((currency) => inputs.every((input) => input.currency !== currency));
  const unpriced = inputs.slice(0, 1).flatMap((input) => only.map((currency) => ({ ...input, ...nothing, currency })));
  return [...inputs, ...unpriced].map((gathered) => {
    const input = {
      ...gathered,
      ...(hasDraft ? { late: [], slaCredits: [], voided: [] } : {}),
      creditBalance: 0n,
      prepaid: [],
    };
    const { currency } = input;
    return { currency, input, invoice: computeInvoice(input), earlierMinor: earlier.get(currency) ?? 0n };
  });
};
