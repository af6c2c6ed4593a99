import { renamePaymentMethodOfPayer } from "../../data/accounts/payment-methods.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { paymentMethodNotFound } from "./payment-method-not-found.ts";

/**
 * Sets the name that the payer sees. Clients and merchants see only the processor's label.
 * @param input.nickname null: the label is shown.
 * @throws DomainError payment_method_not_found.
 */
export const renamePaymentMethod = (
  deps: Pick<Deps, "db" | "clock">,
  input: { payerId: string; paymentMethodId: string; nickname: string | null; requestId: string },
): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    const { payerId, paymentMethodId: id, nickname, requestId } = input;
    if (!(await renamePaymentMethodOfPayer(sql, { id, payerId, nickname }))) throw paymentMethodNotFound();
    const actor = { kind: "payer", id: payerId } as const;
    const entry = { action: "payment_method.renamed", subjectId: id, requestId };
    await appendAudit(sql, { at: deps.clock.now(), actor, ...entry });
  });
