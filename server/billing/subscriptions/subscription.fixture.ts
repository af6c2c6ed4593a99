import { makeMerchant } from "#e2e/support/factories.ts";
import type { TestDeps } from "#e2e/support/test-deps.ts";
import { newId } from "../../kernel/ids.ts";
import { applyCatalogue } from "../catalogue/apply-catalogue.ts";
import { reconcileUsage } from "../meters/reconciliation/reconcile-usage.ts";
import { recordUsage } from "../meters/record-usage.ts";
import { setTaxDetails } from "../tax-details/set-tax-details.ts";
import { assignPlan } from "./assign-plan.ts";
import { changePlan } from "./change/change-plan.ts";
import { previewChange } from "./change/preview-change.ts";
import type { Effective } from "./change/preview-invoices.ts";
import { billDuePeriods } from "./run/bill-due-periods.ts";

const by = { actor: { kind: "operator", id: "acc_1" } as const, requestId: "req_1" };

/** Plans with simple prices, so that expected amounts are easy to compute. */
export const testPlans = (effectiveFrom: string): string => `catalogue: 1
plans:
  free: {name: Free, effective_from: ${effectiveFrom}, interval: month, currencies: {EUR: {prices: {"own:sms": {model: per_unit, unit: "1"}}}}}
  pro:
    name: Pro
    effective_from: ${effectiveFrom}
    interval: month
    currencies:
      EUR: {flat: 3100, prices: {"own:sms": {model: per_unit, unit: "2"}, successful_charges: {model: basis_points, rate: "100", min: "5"}}}
      USD: {prices: {successful_charges: {model: basis_points, rate: "200"}}}
  scale: {name: Scale, effective_from: ${effectiveFrom}, interval: month, currencies: {EUR: {flat: 6200, prices: {"own:sms": {model: per_unit, unit: "3"}}}, USD: {flat: 7000}}}
  minimum: {name: Minimum, effective_from: ${effectiveFrom}, interval: month, currencies: {EUR: {minimum: 1000, prices: {"own:sms": {model: per_unit, unit: "2"}}}}}
  trial: {name: Trial, effective_from: ${effectiveFrom}, interval: month, trial_days: 14, currencies: {EUR: {flat: 3000, prices: {"own:sms": {model: per_unit, unit: "2"}}}}}
  yearly: {name: Yearly, effective_from: ${effectiveFrom}, interval: year, currencies: {EUR: {flat: 36500}}}
  tenfree: {name: Ten free, effective_from: ${effectiveFrom}, interval: month, currencies: {EUR: {prices: {"own:sms": {model: per_unit, unit: "100", free_units: 10}}}}}
  hidden: {name: Hidden, effective_from: ${effectiveFrom}, interval: month, public: false, currencies: {EUR: {flat: 1}}}
coupons:
  HALF: {percent: "50"}
  TENNER: {amount: 1000, currency: EUR}
`;

export const applyPlans = async (deps: TestDeps, text: string): Promise<void> => {
  const applied = await applyCatalogue(deps, { text, isDryRun: false, ...by });
  if (applied.outcome === "refused") throw new Error(JSON.stringify(applied.problems));
};

export const assign = (
  deps: TestDeps,
  merchantId: string,
  { planId, currency = null }: { planId: string; currency?: string | null },
) => assignPlan(deps, { merchantId, planId, version: null, currency, ...by });

export const makeSubscriber = async (
  deps: TestDeps,
  planId: string,
  { timeZone = null }: { timeZone?: string | null } = {},
): Promise<string> => {
  const { id } = await makeMerchant(deps);
  await deps.db.prisma.merchant.update({ where: { id }, data: { timeZone } });
  await assign(deps, id, { planId });
  return id;
};

/** Reports usage of the merchant's own meter `sms`. The time of receipt is now. */
export const reportSms = async (deps: TestDeps, merchantId: string, usage: { quantity: number; time?: Date }) => {
  const { quantity, time = deps.clock.now() } = usage;
  const event = { eventId: newId("req"), source: "test", meter: "sms", subject: null, quantity, time };
  const [verdict] = await recordUsage(deps, { merchantId, clientId: "cl_1", requestId: "r", sent: [{ usage: event }] });
  if (verdict?.status !== "accepted") throw new Error(`the event was not accepted: ${verdict?.status}`);
  // An invoice contains only events that were received before it is computed.
  deps.clock.advance(1);
};

/**
 * Compares the days that have ended, as the daily job does, and does the due billing steps.
 * @returns the number of steps.
 */
export const bill = async (deps: TestDeps): Promise<number> => {
  await reconcileUsage(deps, { maxDays: 31 });
  let total = 0;
  for (let done = 1; done > 0; total += done) done = await billDuePeriods(deps, { limit: 10 });
  return total;
};

/**
 * Marks the SLA credits of an ended subscription as computed. Its last invoice waits for them, and tests without SLA
 * credits don't compute them.
 */
export const skipSlaCredits = (deps: TestDeps, merchantId: string) =>
  deps.db.prisma.$executeRaw`UPDATE billing_subscription SET sla_due_at = NULL WHERE merchant_id = ${merchantId}`;

/** Sets tax details with an address in this country. */
export const moveTo = (deps: TestDeps, merchantId: string, country: string) => {
  const address = { line1: "Street 1", line2: null, postalCode: "1", city: "City", country };
  return setTaxDetails(deps, { merchantId, legalName: "Shop", vatNumber: null, ...address, ...by });
};

/** Deletes all comparisons. A test needs this if it sets the clock back to days that were already compared. */
export const forgetReconciliation = async (deps: TestDeps): Promise<void> => {
  await deps.db.prisma.$executeRaw`DELETE FROM meter_reconciliation_day`;
};

export const preview = (
  deps: TestDeps,
  merchantId: string,
  { planId, effective = "now", currency = null }: { planId: string; effective?: Effective; currency?: string | null },
) => previewChange(deps, { merchantId, planId, version: null, effective, currency });

type Change = { planId: string; effective?: Effective; cancelAt?: Date | null; hash?: string };

/** Changes the plan with the hash of a preview. Without `hash`, this function first requests a preview. */
export const change = async (deps: TestDeps, merchantId: string, wanted: Change) => {
  const { planId, effective = "now", cancelAt } = wanted;
  const seen = wanted.hash ?? (await preview(deps, merchantId, { planId, effective })).hash;
  const input = { merchantId, planId, version: null, effective, cancelAt, ...by };
  return changePlan(deps, { ...input, hasSeen: (hash) => hash === seen });
};

export type StoredInvoice = {
  id: string;
  number: string | null;
  status: string;
  currency: string;
  planId: string;
  from: Date;
  to: Date;
  total: bigint;
  lines: { kind: string; meter: string | null; quantity: number; exact: number; amount: number }[];
};

/** The merchant's invoices with their lines, by period. */
export const invoicesOf = (deps: TestDeps, merchantId: string): Promise<StoredInvoice[]> =>
  deps.db.prisma.$queryRaw<StoredInvoice[]>`
    SELECT i.id, i.number, i.status, i.currency::text AS currency, i.plan_id AS "planId", i.period_from AS "from",
           i.period_to AS "to", i.total, (SELECT coalesce(json_agg(json_build_object('kind', l.kind, 'meter', l.meter,
             'quantity', l.quantity, 'exact', l.exact, 'amount', l.amount) ORDER BY l.position), '[]')
             FROM billing_invoice_line l WHERE l.invoice_id = i.id) AS lines
      FROM billing_invoice i WHERE i.merchant_id = ${merchantId} ORDER BY i.period_from, i.currency`;
