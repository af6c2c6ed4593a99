import { findPaymentMethodsOfPayer } from "../../data/accounts/accounts.ts";
import type { Deps } from "../../deps/deps.ts";

export type PaymentMethodView = {
  id: string;
  type: string;
  /** for example `Visa ending 4242`; never a card number */
  label: string;
  isDefault: boolean;
  createdAt: Date;
};

/** The default first, then the oldest first. */
export const listPaymentMethods = (deps: Pick<Deps, "db">, input: { payerId: string }): Promise<PaymentMethodView[]> =>
  findPaymentMethodsOfPayer(deps.db, input.payerId);
