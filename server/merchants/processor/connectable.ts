import type { MerchantRow } from "../../data/merchants/merchants.ts";
import type { Deps } from "../../deps/deps.ts";
import type { MerchantAccounts } from "../../deps/processor-accounts.ts";
import { DomainError } from "../../kernel/errors.ts";

/** Only merchants of this processor connect their own account. The simulator has an account for each merchant. */
export const connectable = "stripe";

export const isConnectable = ({ processor }: { processor: string }): boolean => processor === connectable;

/** @throws DomainError merchant_pending, merchant_declined, processor_not_connectable. */
export const refuseUnconnectable = (merchant: Pick<MerchantRow, "processor" | "review">): void => {
  if (merchant.review === "pending") {
    throw new DomainError("forbidden", {
      code: "merchant_pending",
      message: "The merchant is waiting for approval by Paygrant. Connect its account after the approval.",
    });
  }
  if (merchant.review === "declined") {
    throw new DomainError("forbidden", {
      code: "merchant_declined",
      message: "Paygrant declined the merchant, so it can’t connect an account.",
    });
  }
  if (isConnectable(merchant)) return;
  throw new DomainError("conflict", {
    code: "processor_not_connectable",
    message: "Payments of this merchant are simulated, so there is no account to connect.",
  });
};

/**
 * @throws DomainError processor_not_configured: Stripe has no key; processor_unavailable: the processor's adapter can't
 *   manage accounts.
 */
export const accountsOf = (deps: Pick<Deps, "processors" | "config">, processor: string): MerchantAccounts => {
  if (deps.config.stripe === null) throw keyMissing();
  const { accounts } = deps.processors.get(processor);
  if (!accounts) throw accountUnavailable();
  return accounts;
};

const keyMissing = (): DomainError =>
  new DomainError("unavailable", {
    code: "processor_not_configured",
    message: "Stripe isn’t set up yet. Contact Paygrant, and try again afterwards.",
  });

export const accountUnavailable = (): DomainError =>
  new DomainError("unavailable", {
    code: "processor_unavailable",
    message: "The request to Stripe had no clear result. Try again in a minute.",
  });
