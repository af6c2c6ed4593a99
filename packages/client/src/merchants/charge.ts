import type { PayerPresence } from "../agents/mandate.ts";
import type { CallOptions } from "../http/call-options.ts";
import { callMerchantApi, toObject } from "./call-merchant-api.ts";
import type { Session } from "./client-credentials.ts";
import type { Charge, MandateUse } from "./objects.ts";

export type PaymentToCharge = MandateUse & {
  /**
   * unique for each payment; a repeat with the same key returns the same charge, until 7 days after its final response
   */
  idempotencyKey: string;
  amount: number;
  currency: string;
  payerPresence: PayerPresence;
  /** default: automatic */
  captureMethod?: "automatic" | "manual";
  reference?: string;
  transactionId?: string;
  metadata?: Record<string, string>;
};

/**
 * Charges a mandate. Check the charge's `status`: the outcome isn't final with `reserved`, `requires_action`,
 * `submitted`, `processing` and `unknown`.
 * @throws ProblemError refused_by_mandate with reasons, or a decline of the processor with `problem.decline`.
 */
export const charge = async (
  session: Session,
  { idempotencyKey, ...body }: PaymentToCharge,
  options: CallOptions = {},
): Promise<Charge> =>
  toObject(await callMerchantApi(session, { method: "POST", path: "/charge", body, idempotencyKey }, options));
