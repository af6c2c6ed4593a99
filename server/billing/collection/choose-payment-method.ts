import { testCards } from "../../accounts/payment-methods/test-cards.ts";
import {
  type BillingPaymentMethod,
  findPaymentMethodOfMerchant,
} from "../../data/billing/collection/billing-payment-methods.ts";
import type { CollectionHold } from "../../data/billing/collection/collections.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { UnconfiguredProcessor } from "../../deps/processor-port.ts";

/** `account`: our own account at the processor. */
export type PayableMethod = BillingPaymentMethod & { account: string };

/** Our own accounts, which receive the merchants' payments. Stripe has none: its payments go to merchants' accounts. */
const ownAccounts: Readonly<Record<string, string>> = { simulator: "acct_billing" };

const sandboxCard: BillingPaymentMethod = {
  processor: "simulator",
  processorRef: testCards.visa.ref,
  label: testCards.visa.label,
};

/** @returns the payment method, or the reason why there is none. */
export const choosePaymentMethod = async (
  deps: Pick<Deps, "config" | "processors">,
  sql: Sql,
  merchantId: string,
): Promise<PayableMethod | CollectionHold> => toPayable(deps, await findPaymentMethodOfMerchant(sql, merchantId));

/**
 * In the sandbox, a merchant without a payment method pays with a test card that succeeds.
 * @param stored the merchant's method; null: the merchant has set none.
 */
export const toPayable = (
  deps: Pick<Deps, "config" | "processors">,
  stored: BillingPaymentMethod | null,
): PayableMethod | CollectionHold => {
  const method = stored ?? (deps.config.environment === "sandbox" ? sandboxCard : null);
  if (!method) return "no_payment_method";
  const account = ownAccounts[method.processor];
  return account !== undefined && isConfigured(deps, method.processor) ? { ...method, account } : "no_processor";
};

const isConfigured = ({ processors }: Pick<Deps, "processors">, name: string): boolean => {
  try {
    return processors.get(name) !== undefined;
  } catch (error) {
    if (error instanceof UnconfiguredProcessor) return false;
    throw error;
  }
};
