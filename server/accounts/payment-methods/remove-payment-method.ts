import { lockPaymentMethodForRemoval, removeLockedPaymentMethod } from "../../data/accounts/payment-methods.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import { findLiveMandatesByMethod, type MethodUse } from "../../data/mandates/payer-mandates.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { paymentMethodNotFound } from "./payment-method-not-found.ts";

/**
 * Removes a payment method that no live mandate uses. If it was the default, the payer's oldest method becomes the
 * default. Earlier charges can still be refunded.
 * @throws DomainError payment_method_not_found; payment_method_in_use, which names the mandates.
 */
export const removePaymentMethod = async (
  deps: Pick<Deps, "db" | "clock" | "businessClock">,
  input: { payerId: string; paymentMethodId: string; requestId: string },
): Promise<void> => {
  const businessNow = await deps.businessClock.now();
  await deps.db.sqlTransaction(async (sql) => {
    const { payerId, paymentMethodId: id, requestId } = input;
    const at = deps.clock.now();
    if (!(await lockPaymentMethodForRemoval(sql, { id, payerId }))) throw paymentMethodNotFound();
    const use = (await findLiveMandatesByMethod(sql, { payerId, ids: [id], at: businessNow })).get(id);
    if (use) throw inUseRefusal(use);
    await removeLockedPaymentMethod(sql, { id, payerId, at });
    const actor = { kind: "payer", id: payerId } as const;
    await appendAudit(sql, { at, actor, action: "payment_method.removed", subjectId: id, requestId });
  });
};

const inUseRefusal = ({ count, names }: MethodUse): DomainError => {
  const others = count - names.length;
  const list = others > 0 ? [...names, `${others} more`] : names;
  return new DomainError("conflict", {
    code: "payment_method_in_use",
    message: `This payment method is used by ${list.join(", ")}. Choose another payment method for each of these mandates, or stop the mandate. Then remove this payment method.`,
    members: { mandates: names, count },
  });
};
