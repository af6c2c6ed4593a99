import { testCards } from "../../accounts/payment-methods/test-cards.ts";
import {
  type BillingPaymentMethod,
  findPaymentMethodOfMerchant,
} from "../../data/billing/collection/billing-payment-methods.ts";
import type { CollectionHold } from "../../data/billing/collection/collections.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { UnconfiguredProcessor } from "../../deps/processor-port.ts";
import { getOwnAccount } from "./get-own-account.ts";

/** `account`: our own account at the processor. */
export type PayableMethod = BillingPaymentMethod & { account: string };

/** The amount due of an invoice. */
type Due = { amountDue: bigint; currency: string };

const sandboxCard: BillingPaymentMethod = {
  processor: "simulator",
  processorRef: testCards.visa.ref,
  label: testCards.visa.label,
};

/** @returns the payment method, or the reason why there is none. */
export const choosePaymentMethod = async (
  deps: Pick<Deps, "config" | "processors">,
  sql: Sql,
  { merchantId, due = null }: { merchantId: string; due?: Due | null },
): Promise<PayableMethod | CollectionHold> => toPayable(deps, await findPaymentMethodOfMerchant(sql, merchantId), due);

/**
 * In the sandbox, a merchant without a payment method pays with a test card that succeeds.
 * @param stored the merchant's method; null: the merchant has set none.
 * @param due the amount to pay; null: the processor's limits aren't checked.
 */
export const toPayable = (
  deps: Pick<Deps, "config" | "processors">,
  stored: BillingPaymentMethod | null,
  due: Due | null,
): PayableMethod | CollectionHold => {
  const method = stored ?? (deps.config.environment === "sandbox" ? sandboxCard : null);
  if (!method) return "no_payment_method";
  const account = findAccount(deps, method.processor, due);
  return account === null ? "no_processor" : { ...method, account };
};

/** @returns null if we have no account at the processor, or if it doesn't accept the currency or the amount. */
const findAccount = (deps: Pick<Deps, "processors">, processor: string, due: Due | null): string | null => {
  try {
    const { id } = getOwnAccount(deps, processor);
    const { currencies, amountSteps } = deps.processors.get(processor).capabilities;
    if (due === null) return id;
    const isAccepted = currencies?.includes(due.currency) ?? true;
    return isAccepted && due.amountDue % (amountSteps[due.currency] ?? 1n) === 0n ? id : null;
  } catch (error) {
    if (error instanceof UnconfiguredProcessor) return null;
    throw error;
  }
};
