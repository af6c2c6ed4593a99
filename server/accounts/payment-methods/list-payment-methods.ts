import { findPaymentMethodsOfPayer } from "../../data/accounts/payment-methods.ts";
import type { Deps } from "../../deps/deps.ts";

export type PaymentMethodView = {
  id: string;
  type: string;
  /** for example `Visa ending in 4242`; never a card number */
  label: string;
  /** chosen by the payer; null: `label` is shown */
  nickname: string | null;
  isDefault: boolean;
  createdAt: Date;
};

/** The default first, then the oldest first. */
export const listPaymentMethods = (deps: Pick<Deps, "db">, input: { payerId: string }): Promise<PaymentMethodView[]> =>
  findPaymentMethodsOfPayer(deps.db, input.payerId);
