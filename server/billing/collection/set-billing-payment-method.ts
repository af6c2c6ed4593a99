import { acceptsTestCards } from "../../accounts/payment-methods/add-test-card.ts";
import { type TestCardName, testCards } from "../../accounts/payment-methods/test-cards.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import { upsertPaymentMethodOfMerchant } from "../../data/billing/collection/billing-payment-methods.ts";
import { renewCollections } from "../../data/billing/collection/collections.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { InvoiceActor } from "../invoices/record-invoice.ts";

type Input = InvoiceActor & { merchantId: string; card: TestCardName };

/**
 * Sets the card with which a merchant pays its invoices. Its open invoices are then collected with this card
 * immediately, even after a final decline of the previous card.
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
    await upsertPaymentMethodOfMerchant(sql, merchantId, { processor: "simulator", processorRef, label, at });
    await renewCollections(sql, merchantId, at);
    const action = "billing_payment_method.set";
    await appendAudit(sql, { at, actor, requestId, action, subjectId: merchantId, data: { test_card: card } });
  });
  return { label };
};

const unavailableRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "test_cards_unavailable",
    message: "Invoices can’t be paid by card here yet. Follow the payment instructions of the invoice.",
  });
