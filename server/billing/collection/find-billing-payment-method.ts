import {
  type BillingPaymentMethod,
  findPaymentMethodOfMerchant,
} from "../../data/billing/collection/billing-payment-methods.ts";
import type { CollectionHold } from "../../data/billing/collection/collections.ts";
import type { Deps } from "../../deps/deps.ts";
import { choosePaymentMethod } from "./choose-payment-method.ts";

type Found = {
  /** the card that the merchant set; null: none */
  set: BillingPaymentMethod | null;
  /** the payment method for the merchant's invoices; null: none */
  used: BillingPaymentMethod | null;
  /** why there is no payment method */
  hold: CollectionHold | null;
};

export const findBillingPaymentMethod = async (
  deps: Pick<Deps, "db" | "config" | "processors">,
  { merchantId }: { merchantId: string },
): Promise<Found> => {
  const set = await findPaymentMethodOfMerchant(deps.db.sql, merchantId);
  const chosen = await choosePaymentMethod(deps, deps.db.sql, { merchantId });
  return typeof chosen === "string" ? { set, used: null, hold: chosen } : { set, used: chosen, hold: null };
};
