import { isCardSetupGivenUp } from "../../../accounts/payment-methods/card-setup-times.ts";
import { appendAudit } from "../../../data/audit/audit.ts";
import {
  type BillingCardSetupRow,
  claimDueBillingCardSetups,
  completeBillingCardSetup,
  endBillingCardSetup,
  endBillingCardSetupsOf,
  findBillingCardSetup,
} from "../../../data/billing/collection/card-setups.ts";
import { lockMerchant } from "../../../data/merchants/merchants.ts";
import type { Deps } from "../../../deps/deps.ts";
import type { CardSetupOutcome } from "../../../deps/processor-port.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { takeProcessorRequest } from "../../../merchants/processor/take-processor-request.ts";
import { applyPaymentMethod } from "../apply-payment-method.ts";

export type SettledInvoiceCard = { state: "added"; label: string } | { state: "open" | "ended" };

type Input = { merchantId: string; setupId: string; requestId: string };

/**
 * Reads the result of a card setup from the processor, and sets the card. Concurrent and repeated calls set it once.
 * @throws DomainError not_found, too_many_processor_requests.
 */
export const settleInvoiceCard = async (
  deps: Deps,
  { merchantId, setupId, requestId }: Input,
): Promise<SettledInvoiceCard> => {
  const setup = await getSetup(deps, { merchantId, setupId });
  if (setup.state === "open") {
    await takeProcessorRequest(deps, { merchantId });
    await settle(deps, setup, requestId);
  }
  const { state, label } = await getSetup(deps, { merchantId, setupId });
  return state === "added" ? { state, label: label ?? "" } : { state };
};

const getSetup = async (
  { db }: Pick<Deps, "db">,
  key: { merchantId: string; setupId: string },
): Promise<BillingCardSetupRow> => {
  const setup = await findBillingCardSetup(db.sql, key);
  if (!setup) throw new DomainError("not_found", { code: "not_found", message: "Card not found." });
  return setup;
};

const settle = async (deps: Deps, setup: BillingCardSetupRow, requestId: string): Promise<void> => {
  const found = (await deps.processors.get(setup.processor).cardSetups?.find(setup)) ?? { kind: "unknown" as const };
  if (found.kind === "added") {
    await setCard(deps, { setup, card: found, requestId });
  } else if (found.kind === "ended" || isCardSetupGivenUp(setup, deps.clock.now())) {
    await deps.db.sqlTransaction(async (sql) => {
      if (!(await endBillingCardSetup(sql, setup.id))) return;
      await appendAudit(sql, {
        at: deps.clock.now(),
        actor: { kind: "merchant", id: setup.begunBy },
        requestId,
        action: "billing_card_setup.ended",
        subjectId: setup.merchantId,
        data: { card_setup_id: setup.id, processor: setup.processor },
      });
    });
  }
};

type NewCard = { setup: BillingCardSetupRow; card: Extract<CardSetupOutcome, { kind: "added" }>; requestId: string };

/**
 * The merchant's other open setups end. Otherwise, the result of an older page could be read later and replace the
 * card.
 */
const setCard = async (deps: Deps, { setup, card, requestId }: NewCard): Promise<void> => {
  const { id, merchantId, processor, begunBy } = setup;
  const { processorRef, label } = card;
  const at = await deps.businessClock.now();
  await deps.db.sqlTransaction(async (sql) => {
    await lockMerchant(sql, merchantId);
    if (!(await completeBillingCardSetup(sql, id, label))) return;
    await endBillingCardSetupsOf(sql, merchantId);
    await applyPaymentMethod(sql, {
      merchantId,
      method: { processor, processorRef, label },
      actor: { kind: "merchant", id: begunBy },
      requestId,
      at,
      data: { card_setup_id: id, processor },
    });
  });
};

/**
 * Settles the open setups whose look-up is due, for example because the member didn't return from the processor's page.
 * @returns the number of setups.
 */
export const settleDueInvoiceCards = async (deps: Deps, { limit }: { limit: number }): Promise<number> => {
  const due = await claimDueBillingCardSetups(deps.db.sql, { now: deps.clock.now(), limit });
  for (const setup of due) {
    try {
      await settle(deps, setup, "billing");
    } catch (error) {
      deps.log.warn({ setupId: setup.id, err: error }, "a card for invoices could not be read; it will be retried");
    }
  }
  return due.length;
};
