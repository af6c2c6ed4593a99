import { findPaymentMethod, insertPaymentMethod } from "../../data/accounts/payment-methods.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { labelledMac } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { type TestCardName, testCards } from "./test-cards.ts";

const processor = "simulator";
/** The maximum number of payment methods of a payer who adds test cards. */
const maxMethods = 30;

/**
 * Whether payers can add the simulator's test cards: only if the simulator is the configured processor, so that no real
 * money moves.
 */
export const acceptsTestCards = ({ config }: Pick<Deps, "config">): boolean => config.simulatorUrl !== null;

type NewCard = {
  payerId: string;
  card: TestCardName;
  requestId: string;
  /** the form's key: a form that is sent twice adds one card */
  formKey?: string;
};

/**
 * Adds one of the simulator's test cards. The payer's first payment method becomes the default.
 * @throws DomainError test_cards_unavailable, too_many_payment_methods.
 */
export const addTestCard = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { payerId, card, requestId, formKey }: NewCard,
): Promise<{ id: string; label: string }> => {
  if (!acceptsTestCards(deps)) throw testCardsRefusal();
  const { ref, label } = testCards[card];
  const id = formKey === undefined ? newId("pm") : keyedId(deps, `${payerId} ${card} ${formKey}`);
  const at = deps.clock.now();
  await deps.db.sqlTransaction(async (sql) => {
    const method = { id, payerId, processor, processorRef: ref, type: "card", label, at };
    if (!(await insertPaymentMethod(sql, method, maxMethods))) {
      if (await findPaymentMethod({ sql }, { id, payerId })) return;
      throw tooManyMethodsRefusal();
    }
    const actor = { kind: "payer", id: payerId } as const;
    const data = { processor, test_card: card };
    await appendAudit(sql, { at, actor, action: "payment_method.added", subjectId: id, requestId, data });
  });
  return { id, label };
};

/** The id of the payment method. It is derived from the form's key, so it is the same if a form is sent again. */
const keyedId = ({ config }: Pick<Deps, "config">, key: string): string =>
  `pm_${labelledMac(config.masterKey, "payment_method", key).replaceAll(/[-_]/g, "").slice(0, 24)}`;

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
