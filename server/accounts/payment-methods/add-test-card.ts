import { insertPaymentMethod } from "../../data/accounts/payment-methods.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { type TestCardName, testCards } from "./test-cards.ts";

const processor = "simulator";
/** Payment methods per payer. */
const maxMethods = 30;

/** Whether payers can add the simulator's test cards: its processor is configured, so no real money moves. */
export const acceptsTestCards = ({ config }: Pick<Deps, "config">): boolean => config.simulatorUrl !== null;

/**
 * Adds one of the simulator's test cards. The payer's first payment method becomes the default.
 * @throws DomainError test_cards_unavailable, too_many_payment_methods.
 */
export const addTestCard = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { payerId, card, requestId }: { payerId: string; card: TestCardName; requestId: string },
): Promise<{ id: string; label: string }> => {
  if (!acceptsTestCards(deps)) throw testCardsRefusal();
  const { ref, label } = testCards[card];
  const [id, at] = [newId("pm"), deps.clock.now()];
  await deps.db.sqlTransaction(async (sql) => {
    const method = { id, payerId, processor, processorRef: ref, type: "card", label, at };
    if (!(await insertPaymentMethod(sql, method, maxMethods))) throw tooManyMethodsRefusal();
    const actor = { kind: "payer", id: payerId } as const;
    const data = { processor, test_card: card };
    await appendAudit(sql, { at, actor, action: "payment_method.added", subjectId: id, requestId, data });
  });
  return { id, label };
};

const testCardsRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "test_cards_unavailable",
    message: "Test cards can’t be added here, because payments use real cards. Add a card instead.",
  });

const tooManyMethodsRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "too_many_payment_methods",
    message: `You have ${maxMethods} payment methods. Remove one first.`,
  });
