import { listCatalogue } from "../../../billing/catalogue/list-catalogue.ts";
import { listCouponsOfMerchant } from "../../../billing/coupons/list-coupons-of-merchant.ts";
import { listCredits } from "../../../billing/credits/list-credits.ts";
import { listTaxDecisions } from "../../../billing/invoices/read/list-tax-decisions.ts";
import { findSubscriptionView } from "../../../billing/subscriptions/find-subscription-view.ts";
import { toSubscriptionObject } from "../../../billing/subscriptions/subscription.wire.ts";
import type { SubscriptionView } from "../../../billing/subscriptions/subscription-view.ts";
import type { CreditGrantRow } from "../../../data/billing/credits/grants.ts";
import { findLedgerBalances } from "../../../data/billing/ledger/entries.ts";
import { listSlaCreditsOfMerchant, type MerchantSlaCredit } from "../../../data/billing/sla/merchant-sla-credits.ts";
import { findTaxDetails, type TaxDetailsRow } from "../../../data/billing/tax-details/tax-details.ts";
import type { Sql } from "../../../data/client.ts";
import type { Deps } from "../../../deps/deps.ts";
import { getMerchant } from "../../../merchants/get-merchant.ts";
import { toSubscribedPlan } from "../../merchant/billing/plan-views.ts";
import { toOperatorCatalogue } from "../plans/operator-plan-views.ts";
import { toTaxCase } from "./operator-invoice-views.ts";

const creditsAtOnce = 25;
const maxSlaCredits = 25;

type Query = { merchantId: string; creditsAfter?: string | undefined };

/** Everything that the operator's page of a merchant's billing shows. @throws DomainError not_found. */
export const readMerchantBilling = async (deps: Deps, { merchantId, creditsAfter }: Query) => {
  const { sql } = deps.db;
  const { merchant } = await getMerchant(deps, { merchantId });
  const page = { limit: creditsAtOnce, startingAfter: creditsAfter ?? null, endingBefore: null };
  const [view, coupons, { credits, hasMore }, taxDetails, { cases }, slaCredits, balances, catalogue, now] =
    await Promise.all([
      findSubscriptionView(deps, { merchantId }),
      listCouponsOfMerchant(deps, { merchantId }),
      listCredits(deps, { merchantId, ...page }),
      findTaxDetails(sql, merchantId),
      listTaxDecisions(deps, { merchantId, limit: 25 }),
      listSlaCreditsOfMerchant(sql, { merchantId, limit: maxSlaCredits }),
      findLedgerBalances(sql, merchantId, { account: null, currency: null }),
      listCatalogue(deps),
      deps.businessClock.now(),
    ]);
  const { plans, coupons: offered } = toOperatorCatalogue(catalogue);
  return {
    merchant: { id: merchant.id, name: merchant.displayName },
    subscription: view && (await toSubscription(sql, view)),
    coupons: coupons.map((coupon) => ({
      ...coupon,
      appliedAt: coupon.appliedAt.toISOString(),
      endsAt: coupon.endsAt?.toISOString() ?? null,
    })),
    credits: credits.map((credit) => toCredit(credit, now)),
    hasMoreCredits: hasMore,
    slaCredits: slaCredits.map(toSlaCredit),
    taxDetails: taxDetails && toTaxDetails(taxDetails),
    taxCases: cases.map(toTaxCase),
    balances: balances.map(({ account, currency, posted }) => ({ account, currency, amountMinor: Number(posted) })),
    plans: plans
      .filter(({ inEffect, state }) => inEffect !== null && state !== "retired")
      .map(({ id, name, currencies, state, inEffect }) => ({ id, name, currencies, state, version: inEffect })),
    offeredCoupons: offered.map(({ code, percent, amount }) => ({ code, percent, amount })),
  };
};

const toSubscription = async (sql: Sql, view: SubscriptionView) => {
  const { currencies, time_zone: timeZone } = toSubscriptionObject(view);
  return { ...(await toSubscribedPlan(sql, view)), currencies, timeZone };
};

const toCredit = (credit: CreditGrantRow, now: Date) => ({
  id: credit.id,
  kind: credit.kind,
  currency: credit.currency,
  grantedMinor: Number(credit.granted),
  remainingMinor: Number(credit.remaining),
  priority: credit.priority,
  grantedAt: credit.grantedAt.toISOString(),
  expiresAt: credit.expiresAt?.toISOString() ?? null,
  isExpired: credit.expiresAt !== null && credit.expiresAt <= now,
});

const toSlaCredit = ({ month, ...credit }: MerchantSlaCredit) => ({
  ...credit,
  month: month.toISOString().slice(0, 7),
});

const toTaxDetails = ({ legalName, city, country, vatNumber, taxRegion }: TaxDetailsRow) => ({
  legalName,
  city,
  country,
  vatNumber,
  taxRegion,
});

export type OperatorMerchantBilling = Awaited<ReturnType<typeof readMerchantBilling>>;
