import { findMandatePaymentIds, findPaymentsByIds } from "../../data/charges/merchant/merchant-payments.ts";
import type { Deps } from "../../deps/deps.ts";
import type { PaymentView } from "./find-payments.ts";

/** A merchant's newest payments under one mandate. */
export const findMandatePayments = async (
  { db }: Pick<Deps, "db">,
  input: { merchantId: string; mandateId: string; limit: number },
): Promise<{ payments: PaymentView[]; hasMore: boolean }> => {
  const ids = await findMandatePaymentIds(db.sql, { ...input, limit: input.limit + 1 });
  const payments = await findPaymentsByIds(db, ids.slice(0, input.limit));
  return { payments, hasMore: ids.length > input.limit };
};
