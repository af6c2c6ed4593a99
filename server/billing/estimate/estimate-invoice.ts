import type { Deps } from "../../deps/deps.ts";
import { DomainError, fieldRefusal } from "../../kernel/errors.ts";
import { dayIn } from "../../kernel/time/calendar.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { findCoupon } from "../catalogue/find-coupon.ts";
import { findTaxRate } from "../catalogue/find-tax-rate.ts";
import { getPlanVersion, unknownPlanRefusal } from "../catalogue/get-plan-version.ts";
import type { PlanVersion } from "../catalogue/plan-version.ts";
import type { InvoiceDocument } from "../invoices/invoice.wire.ts";
import { computeSafeInvoice } from "../rules/invoice/compute-invoice.ts";
import { explainInvoice, numberLines } from "../rules/invoice/explain-invoice.ts";
import type { InvoiceInput } from "../rules/invoice/types.ts";
import { nthBillingPeriod } from "../rules/periods/billing-period.ts";
import { outOfScope } from "../rules/plans/tax-rate.wire.ts";
import type { CurrencyTerms, PlanTerms } from "../rules/plans/terms.ts";
import type { PriceStep } from "../rules/prices/price-steps.ts";
import type { EstimateRequest } from "./estimate.wire.ts";
import { applicableCoupons } from "./estimate-coupons.ts";
import { refuseTooLarge, toEstimateUsage } from "./estimate-usage.ts";

type EstimateDeps = Pick<Deps, "db" | "businessClock">;

export type Estimate = { invoice: InvoiceDocument; explanation: { line: string; steps: PriceStep[] }[] };

/**
 * The invoice for the given usage under a public plan, computed by the same function as real invoices. Writes nothing.
 * @throws DomainError plan_not_found, currency_not_priced, coupon_not_applicable, estimate_too_large, and
 *   invalid_request naming the field.
 */
export const estimateInvoice = async (deps: EstimateDeps, request: EstimateRequest): Promise<Estimate> => {
  const at = await deps.businessClock.now();
  const plan = await getPublicPlan(deps, request, at);
  const terms = getCurrencyTerms(plan.terms, request.currency);
  const input: InvoiceInput = {
    currency: request.currency,
    tax: await findTax(deps, request.tax_region),
    parts: [
      {
        plan: { id: plan.id, version: plan.version },
        terms,
        period: periodFrom(plan.terms, at),
        days: request.days ?? { used: 1, of: 1 },
        usage: toEstimateUsage(request.usage, terms),
      },
    ],
    late: [],
    refunds: [],
    slaCredits: [],
    coupons: await findCoupons(deps, request, terms),
    creditBalance: 0n,
    prepaid: [],
  };
  return toEstimate(input);
};

/** A hidden plan gets the same response as an unknown plan, because anyone can request estimates. */
const getPublicPlan = async (
  { db }: EstimateDeps,
  request: EstimateRequest,
  at: BusinessTime,
): Promise<PlanVersion> => {
  const version = request.version ?? null;
  const plan = await getPlanVersion(db.sql, { planId: request.plan, version, at });
  if (!plan.isPublic) throw unknownPlanRefusal(version);
  return plan;
};

const getCurrencyTerms = ({ currencies }: PlanTerms, currency: string): CurrencyTerms => {
  const terms = currencies.get(currency);
  if (terms) return terms;
  throw new DomainError("unprocessable", {
    code: "currency_not_priced",
    message: `The plan has no prices in ${currency}. It has prices in ${[...currencies.keys()].join(", ")}.`,
    errors: [{ pointer: "/currency", detail: "isn’t a currency of the plan" }],
  });
};

const findTax = async ({ db }: EstimateDeps, region: string | undefined): Promise<InvoiceInput["tax"]> => {
  if (region === undefined) return outOfScope;
  const tax = await findTaxRate(db.sql, region);
  if (tax === null) throw fieldRefusal("/tax_region", "isn’t known: use a key of the catalogue’s tax rates");
  return tax;
};

const findCoupons = async (
  { db }: EstimateDeps,
  { plan: planId, currency, coupons: codes = [] }: EstimateRequest,
  terms: CurrencyTerms,
) => {
  const found = await Promise.all(codes.map(async (code) => ({ code, coupon: await findCoupon(db.sql, { code }) })));
  return applicableCoupons(found, { planId, currency, terms });
};

/** The first period of a subscription that starts today. */
const periodFrom = ({ interval }: PlanTerms, at: Date) =>
  nthBillingPeriod({ interval, anchorDate: dayIn("UTC", at), timeZone: "UTC" }, 0);

const tooLarge = "The amounts of this estimate are too large. Reduce the usage.";

const toEstimate = (input: InvoiceInput): Estimate => {
  const computed = computeSafeInvoice(input);
  if (!computed) return refuseTooLarge(tooLarge);
  const explanation = explainInvoice(input, computed);
  const positions = explanation.flatMap(({ steps }) => steps.flatMap(({ from, to, units }) => [from, to, units]));
  const [part] = input.parts;
  if (!part || positions.some((number) => !Number.isSafeInteger(Number(number)))) return refuseTooLarge(tooLarge);
  const invoice: InvoiceDocument = {
    ...computed,
    id: "estimate",
    number: null,
    type: "invoice",
    corrects: null,
    status: "draft",
    period: part.period,
    plan: part.plan,
    issuedAt: null,
    dueAt: null,
    lines: numberLines(computed.lines),
    prepaidApplied: 0n,
    amountPaid: 0n,
    pdfSha256: null,
  };
  return { invoice, explanation };
};
