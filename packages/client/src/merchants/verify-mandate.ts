import type { PayerPresence } from "../agents/mandate.ts";
import { RequestError } from "../errors/errors.ts";
import type { CallOptions } from "../http/call-options.ts";
import { toCamel } from "../wire/names.ts";
import { callMerchantApi } from "./call-merchant-api.ts";
import type { Session } from "./client-credentials.ts";
import type { MandateUse, Verdict } from "./objects.ts";

export type PaymentToVerify = MandateUse & {
  amount: number;
  currency: string;
  payerPresence: PayerPresence;
  /** the nonce that the merchant gave the agent to sign */
  nonce?: string;
  transactionId?: string;
};

/** Asks whether a mandate allows a payment. Changes nothing; an invalid mandate is a verdict, not an error. */
export const verifyMandate = async (
  session: Session,
  payment: PaymentToVerify,
  options: CallOptions = {},
): Promise<Verdict> => {
  const verdict = await callMerchantApi(session, { method: "POST", path: "/verify-mandate", body: payment }, options);
  if (typeof verdict["valid"] !== "boolean") throw new RequestError("invalid_response", "The response has no verdict.");
  return toCamel(verdict) as Verdict;
};
