import { makeDefaultPaymentMethod } from "../../data/accounts/payment-methods.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { paymentMethodNotFound } from "./payment-method-not-found.ts";

/**
 * The default is offered first at the next consent. Existing mandates don't change.
 * @throws DomainError payment_method_not_found.
 */
export const setDefaultPaymentMethod = (
  deps: Pick<Deps, "db" | "clock">,
  input: { payerId: string; paymentMethodId: string; requestId: string },
): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    const { payerId, paymentMethodId: id, requestId } = input;
    if (!(await makeDefaultPaymentMethod(sql, { id, payerId }))) throw paymentMethodNotFound();
    const actor = { kind: "payer", id: payerId } as const;
    const entry = { action: "payment_method.made_default", subjectId: id, requestId };
    await appendAudit(sql, { at: deps.clock.now(), actor, ...entry });
  });
