import { selectPaymentMethodOwner } from "../../data/accounts/payment-methods.ts";
import type { Deps } from "../../deps/deps.ts";

/** The payer of a payment method; null if it doesn't exist or was removed. */
export const findPaymentMethodOwner = (
  deps: Pick<Deps, "db">,
  input: { paymentMethodId: string },
): Promise<string | null> => selectPaymentMethodOwner(deps.db, input.paymentMethodId);
