import { countOpenCardSetups, insertCardSetup, lockPayer } from "../../data/accounts/card-setups.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";

/** Who takes cards here: the simulator has test methods of its own. */
const processorName = "stripe";
const pageSeconds = 3_600;
const firstLookupSeconds = 60;
/** Pages of one payer's that are open at once. */
const mostOpen = 5;

/** Whether payers can add a card. */
export const takesCards = ({ config }: Pick<Deps, "config">): boolean => config.stripe !== null;

/**
 * Opens a page of the processor's own on which a payer gives a card: no number of one reaches us. What came of it is
 * asked for when the payer comes back, and until it is known (`settleCardSetup`).
 * @returns the page's address.
 * @throws DomainError rate_limited, unavailable: nothing is open.
 */
export const beginCardSetup = async (
  deps: Deps,
  { payerId, requestId }: { payerId: string; requestId: string },
): Promise<{ setupId: string; pageUrl: string }> => {
  const now = deps.clock.now();
  if ((await countOpenCardSetups(deps.db.sql, payerId, now)) >= mostOpen) throw tooMany();
  const { cardSetups } = deps.processors.get(processorName);
  if (!cardSetups) throw unavailable();
  const [id, expiresAt] = [newId("cst"), addSeconds(now, pageSeconds)];
  const page = `${deps.config.walletUrl}/wallet/payment-methods`;
  const begun = await cardSetups.begin({ key: id, doneUrl: `${page}?card=${id}`, leaveUrl: page, expiresAt });
  if (begun.kind !== "begun") throw unavailable();
  const { setupRef, pageUrl } = begun;
  await deps.db.sqlTransaction(async (sql) => {
    // Others may have been begun meanwhile; a page whose address nobody is told is none.
    await lockPayer(sql, payerId);
    if ((await countOpenCardSetups(sql, payerId, now)) >= mostOpen) throw tooMany();
    await insertCardSetup(sql, {
      id,
      payerId,
      processor: processorName,
      setupRef,
      createdAt: now,
      expiresAt,
      nextLookupAt: addSeconds(now, firstLookupSeconds),
    });
    await appendAudit(sql, {
      at: now,
      actor: { kind: "payer", id: payerId },
      action: "card_setup.begun",
      subjectId: id,
      requestId,
      data: { processor: processorName },
    });
  });
  return { setupId: id, pageUrl };
};

const tooMany = (): DomainError =>
  new DomainError(
    "rate_limited",
    "too_many_attempts",
    "Too many open pages to add a card. Continue with one of them, or try again in an hour.",
  );

const unavailable = (): DomainError =>
  new DomainError("unavailable", "processor_unavailable", "Cards can’t be added at the moment. Try again in a minute.");
