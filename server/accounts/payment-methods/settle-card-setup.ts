import { takeLimitedAttempt } from "../../data/accounts/accounts.ts";
import {
  addCardOf,
  type CardSetupRow,
  claimDueCardSetups,
  endCardSetup,
  findCardSetup,
  findPaymentMethodLabel,
} from "../../data/accounts/card-setups.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { isCardSetupGivenUp } from "./card-setup-times.ts";

/** The limit for a payer's requests to the processor. All payers and merchants share the processor's rate limit. */
const limitOf = ({ payerId }: CardSetupRow) => ({ key: `card-setup:${payerId}`, capacity: 20, drainSeconds: 30 });

export type SettledCard = { state: "added"; label: string } | { state: "open" | "ended" };

const setupNotFound = (): DomainError =>
  new DomainError("not_found", { code: "not_found", message: "Card not found." });

/** The payer of a card setup; null if it doesn't exist. */
export const findCardSetupOwner = async (
  { db }: Pick<Deps, "db">,
  { setupId }: { setupId: string },
): Promise<string | null> => (await findCardSetup(db.sql, setupId))?.payerId ?? null;

/**
 * Reads the result of a card setup from the processor and adds the card. Concurrent and repeated calls add it once. If
 * the payer made too many calls, the setup remains open until a worker reads its result.
 * @throws DomainError not_found.
 */
export const settleCardSetup = async (
  deps: Deps,
  { setupId, requestId }: { setupId: string; requestId: string },
): Promise<SettledCard> => {
  const setup = await findCardSetup(deps.db.sql, setupId);
  if (!setup) throw setupNotFound();
  if (setup.state === "open" && (await takeLimitedAttempt(deps.db.sql, limitOf(setup), deps.clock.now()))) {
    await settle(deps, setup, requestId);
  }
  return resultOf(deps, setupId);
};

const resultOf = async ({ db }: Pick<Deps, "db">, setupId: string): Promise<SettledCard> => {
  const setup = await findCardSetup(db.sql, setupId);
  if (!setup) throw setupNotFound();
  if (setup.state !== "added") return { state: setup.state };
  const label = setup.paymentMethodId && (await findPaymentMethodLabel(db.sql, setup.paymentMethodId));
  return { state: "added", label: label ?? "" };
};

const settle = async (deps: Deps, setup: CardSetupRow, requestId: string): Promise<void> => {
  const found = (await deps.processors.get(setup.processor).cardSetups?.find(setup)) ?? { kind: "unknown" as const };
  const at = deps.clock.now();
  const audit = (sql: Sql, action: string, subjectId: string) =>
    appendAudit(sql, {
      at,
      action,
      subjectId,
      requestId,
      actor: { kind: "payer", id: setup.payerId },
      data: { card_setup_id: setup.id, processor: setup.processor },
    });
  if (found.kind === "added") {
    const paymentMethodId = newId("pm");
    await deps.db.sqlTransaction(async (sql) => {
      const isOurs = await addCardOf(sql, setup, { ...found, paymentMethodId, at });
      if (isOurs) await audit(sql, "payment_method.added", paymentMethodId);
    });
  } else if (found.kind === "ended" || isCardSetupGivenUp(setup, at)) {
    await deps.db.sqlTransaction(async (sql) => {
      if (await endCardSetup(sql, setup.id)) await audit(sql, "card_setup.ended", setup.id);
    });
  }
};

/**
 * Settles the open setups whose look-up is due, for example because the payer didn't return from the processor's page.
 * @returns the number of setups.
 */
export const settleDueCardSetups = async (deps: Deps, { limit }: { limit: number }): Promise<number> => {
  const due = await claimDueCardSetups(deps.db.sql, { now: deps.clock.now(), limit });
  for (const setup of due) {
    try {
      await settle(deps, setup, "reconcile");
    } catch (error) {
      deps.log.warn({ setupId: setup.id, err: error }, "a card setup could not be read; it will be retried");
    }
  }
  return due.length;
};
