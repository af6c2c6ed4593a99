import { type LastInvoiceRow, listLastInvoices } from "../../data/billing/catalogue/last-invoices.ts";
import { getSubscriptionRow } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import { computeInvoice } from "../rules/invoice/compute-invoice.ts";
import type { PlanTerms } from "../rules/plans/terms.ts";
import { billedPart } from "../rules/subscriptions/divide-period.ts";
import { loadCoupons } from "../subscriptions/gather/applied-coupons.ts";
import { loadEarlierParts } from "../subscriptions/gather/earlier-parts.ts";
import { getPlanOf } from "../subscriptions/gather/get-plan-of.ts";
import { readPeriodUsage } from "../subscriptions/gather/period-usage.ts";
import { pricedTerms } from "../subscriptions/gather/priced-terms.ts";
import { usageOf } from "../subscriptions/gather/priced-usage.ts";
import { loadTaxTerms } from "../subscriptions/gather/tax-terms.ts";
import { toSpan } from "../subscriptions/period-span.ts";

/** `total`: as invoiced. `newTotal`: at the other prices; null if there are no prices in the invoice's currency. */
export type RepricedInvoice = {
  id: string;
  number: string;
  currency: string;
  total: bigint;
  newTotal: bigint | null;
};

type Input = {
  subscriptionId: string;
  merchantId: string;
  /** the other prices */
  terms: PlanTerms;
};

/**
 * A subscription's last invoice in each currency, recomputed at other prices. Only the flat fee, the usage and the
 * true-up of the period are priced again. Late events, refunds and SLA credits are unchanged.
 */
export const repriceLastInvoices = async (sql: Sql, input: Input): Promise<RepricedInvoice[]> => {
  const repriced: RepricedInvoice[] = [];
  for (const last of await listLastInvoices(sql, input)) {
    const { invoiceId: id, invoiceNumber: number, invoiceCurrency: currency, total } = last;
    const { terms } = await getPlanOf(sql, last);
    const price = await loadPeriod(sql, { ...input, last, billed: terms });
    const [before, after] = [price(terms), price(input.terms)];
    const newTotal = before === null || after === null ? null : total - before + after;
    repriced.push({ id, number, currency, total, newTotal });
  }
  return repriced;
};

type Period = { subscriptionId: string; merchantId: string; last: LastInvoiceRow; billed: PlanTerms };

/**
 * Reads the billed usage. @returns a function that computes the period's total at given terms. It returns null if the
 * terms have no prices in the period's currency.
 */
const loadPeriod = async (
  sql: Sql,
  { last, billed, merchantId, subscriptionId }: Period,
): Promise<(terms: PlanTerms) => bigint | null> => {
  const row = await getSubscriptionRow(sql, subscriptionId);
  const { invoiceCurrency: currency, planId, planVersion } = last;
  const part = billedPart(toSpan(last), row);
  const period = part?.period ?? { from: last.to, to: last.to };
  const of = { row, period: last, plan: { terms: billed }, currency, billed: period, asOf: last.cutOffAt ?? last.to };
  const usage = await readPeriodUsage(sql, usageOf(of));
  const earlier = await loadEarlierParts(sql, { ...of, period: last });
  const tax = await loadTaxTerms(sql, merchantId);
  const coupons = (await loadCoupons(sql, { row, period: last, planId }))(currency);
  const none = { late: [], refunds: [], slaCredits: [], voided: [], creditBalance: 0n, prepaid: [] };
  return (terms) => {
    const priced = pricedTerms(terms, { currency, main: last.currency });
    if (!priced) return null;
    const plan = { id: planId, version: planVersion };
    const repriced = earlier.map((one) => ({ ...one, terms: priced }));
    const parts = part ? [{ plan, terms: priced, ...part, usage, earlier: repriced }] : [];
    return computeInvoice({ currency, tax, parts, coupons, ...none }).total;
  };
};
