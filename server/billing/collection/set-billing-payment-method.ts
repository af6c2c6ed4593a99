import { acceptsTestCards } from "../../accounts/payment-methods/add-test-card.ts";
import { type TestCardName, testCards } from "../../accounts/payment-methods/test-cards.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { InvoiceActor } from "../invoices/record-invoice.ts";
import { applyPaymentMethod } from "./apply-payment-method.ts";

type Input = InvoiceActor & { merchantId: string; card: TestCardName };

/**
 * Sets one of the simulator's cards.
 * @throws DomainError conflict test_cards_unavailable.
 */
export const setBillingPaymentMethod = async (
  deps: Pick<Deps, "db" | "config" | "businessClock">,
  { merchantId, card, actor, requestId }: Input,
): Promise<{ label: string }> => {
  if (!acceptsTestCards(deps)) throw unavailableRefusal();
  const { ref: processorRef, label } = testCards[card];
  const at = await deps.businessClock.now();
  await deps.db.sqlTransaction(async (sql) => {
    const method = { processor: "simulator", processorRef, label };
    await applyPaymentMethod(sql, { merchantId, method, at, data: { test_card: card }, actor, requestId });
  });
  return { label };
};

const unavailableRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "test_cards_unavailable",
    message: "Test cards can’t be used here. Reload the page to see how invoices can be paid.",
  });
