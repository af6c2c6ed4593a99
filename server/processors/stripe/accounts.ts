import Stripe from "stripe";
import type { AccountCreation, MerchantAccounts } from "../../deps/processor-accounts.ts";
import type { AccountReport, NewAccount } from "../../kernel/processor-account.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import type { Admits } from "./http-client.ts";
import { faultOf } from "./outcomes.ts";

/** Our platform creates the accounts of its merchants and reads them. */
export const ofAccounts: Admits = ({ path, account }) =>
  account === null && /^\/v1\/(account_links|accounts(\/acct_\w+)?(\?.*)?)$/.test(path);

/** Stripe Connect with onboarding on Stripe's own pages (docs.stripe.com/connect/hosted-onboarding). */
export const stripeAccounts = (stripe: Stripe): MerchantAccounts => ({
  create: (request) => create(stripe, request),
  search: (request) => search(stripe, request),
  async link({ account, returnUrl, refreshUrl }) {
    try {
      const { url } = await stripe.accountLinks.create({
        account,
        type: "account_onboarding",
        // Requests all details now, so that Stripe doesn't stop the charges later.
        collection_options: { fields: "eventually_due" },
        return_url: returnUrl,
        refresh_url: refreshUrl,
      });
      return { kind: "link", pageUrl: url };
    } catch (error) {
      return { kind: isGone(error) ? "gone" : "unknown" };
    }
  },
  async read({ account }) {
    try {
      return { kind: "report", report: toReport(await stripe.accounts.retrieve(account)) };
    } catch (error) {
      return { kind: isGone(error) ? "gone" : "unknown" };
    }
  },
});

const create = async (
  stripe: Stripe,
  { key, details }: { key: string; details: NewAccount },
): Promise<AccountCreation> => {
  try {
    const { id } = await stripe.accounts.create(toParams(details), { idempotencyKey: key });
    return { kind: "created", account: id };
  } catch (error) {
    // Stripe keeps an answer of 500 under the key too (docs.stripe.com/api/idempotent_requests).
    if (error instanceof Stripe.errors.StripeError && (error.statusCode ?? 0) >= 500) return { kind: "failed" };
    if (error instanceof Stripe.errors.StripeError && error.statusCode === 409) return { kind: "busy" };
    const fault = faultOf(error);
    if (fault.kind !== "refusal") return { kind: fault.kind };
    return { kind: "refused", code: fault.error.code ?? "invalid_request", detail: fault.error.message };
  }
};

/**
 * The merchant has its own account at Stripe, for direct charges. The merchant pays Stripe's fees. Stripe bears the
 * merchant's losses, collects the merchant's details and provides a dashboard
 * (docs.stripe.com/connect/migrate-to-controller-properties).
 */
const toParams = ({
  merchantId,
  displayName,
  country,
  websiteUri,
  mcc,
  ...more
}: NewAccount): Stripe.AccountCreateParams => ({
  controller: {
    fees: { payer: "account" },
    losses: { payments: "stripe" },
    requirement_collection: "stripe",
    stripe_dashboard: { type: "full" },
  },
  capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
  business_profile: { name: displayName, mcc, ...(websiteUri === null ? {} : { url: websiteUri }) },
  ...(country === null ? {} : { country }),
  // Only the initial text: afterwards, the merchant changes it in Stripe's dashboard.
  ...(more.statementDescriptor ? { settings: { payments: { statement_descriptor: more.statementDescriptor } } } : {}),
  metadata: { merchant_id: merchantId },
});

const search = async (
  stripe: Stripe,
  { merchantId, since }: { merchantId: string; since: Date },
): ReturnType<MerchantAccounts["search"]> => {
  try {
    const accounts = stripe.accounts.list({ created: { gte: epochSeconds(since) - clockSkewSeconds }, limit: 100 });
    for await (const { id, metadata } of accounts) {
      if (metadata?.["merchant_id"] === merchantId) return { kind: "found", account: id };
    }
    return { kind: "not_found" };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return { kind: "unknown" };
    throw error;
  }
};

/** Stripe's clock may differ from ours. */
const clockSkewSeconds = 300;

/** A deleted account is missing, and our key has no access to a disconnected account. */
const isGone = (error: unknown): boolean => {
  const fault = faultOf(error);
  if (fault.kind === "refusal") return ["resource_missing", "account_invalid"].includes(fault.error.code ?? "");
  return fault.kind === "not_sent" && fault.isAccountFault === true;
};

/** docs.stripe.com/api/accounts/object: `requirements`. */
const toReport = (account: Stripe.Account): AccountReport => {
  const { requirements, capabilities } = account;
  const deadline = requirements?.current_deadline ?? null;
  const pastDue = requirements?.past_due ?? [];
  return {
    chargesEnabled: account.charges_enabled && (capabilities?.card_payments ?? "active") === "active",
    payoutsEnabled: account.payouts_enabled,
    detailsSubmitted: account.details_submitted,
    due: [...new Set([...pastDue, ...(requirements?.currently_due ?? [])])],
    pastDue,
    pending: requirements?.pending_verification ?? [],
    dueBy: deadline === null ? null : new Date(deadline * 1000),
    disabledReason: requirements?.disabled_reason ?? null,
  };
};
