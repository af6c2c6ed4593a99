import { lockAccount } from "../../data/accounts/accounts.ts";
import { countOpenCardSetups, insertCardSetup } from "../../data/accounts/card-setups.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { cardSetupTimes } from "./card-setup-times.ts";

/** The processor that accepts cards. The simulator has its own test methods. */
const processorName = "stripe";
/** The maximum number of open card pages of a payer. */
const maxOpenSetups = 5;

/** Whether payers can add a card. */
export const acceptsCards = ({ config }: Pick<Deps, "config">): boolean => config.stripe !== null;

/**
 * Opens a page of the processor on which the payer enters a card, so that card numbers never reach this service.
 * `settleCardSetup` reads the result when the payer returns. `settleDueCardSetups` reads it regularly until it is
 * known.
 * @returns the setup's id and the page's URL.
 * @throws DomainError too_many_attempts, processor_unavailable.
 */
export const beginCardSetup = async (
  deps: Deps,
  {
    payerId,
    requestId,
    returnPath = "/wallet/payment-methods",
  }: {
    payerId: string;
    requestId: string;
    /** the page to which the payer returns, with the setup's id as `card` */
    returnPath?: string;
  },
): Promise<{ setupId: string; pageUrl: string }> => {
  const now = deps.clock.now();
  if ((await countOpenCardSetups(deps.db.sql, payerId, now)) >= maxOpenSetups) throw tooManySetupsRefusal();
  const { cardSetups } = deps.processors.get(processorName);
  if (!cardSetups) throw unavailableRefusal();
  const id = newId("cst");
  const times = cardSetupTimes(now);
  const page = `${deps.config.walletUrl}${returnPath}`;
  const setup = await cardSetups.begin({
    key: id,
    doneUrl: `${page}?card=${id}`,
    leaveUrl: page,
    expiresAt: times.expiresAt,
  });
  if (setup.kind !== "begun") throw unavailableRefusal();
  const { setupRef, pageUrl } = setup;
  await deps.db.sqlTransaction(async (sql) => {
    // Counted again under the lock, because other setups may have started. The page of a refused setup is never shown.
    await lockAccount(sql, payerId);
    if ((await countOpenCardSetups(sql, payerId, now)) >= maxOpenSetups) throw tooManySetupsRefusal();
    await insertCardSetup(sql, {
      id,
      payerId,
      processor: processorName,
      setupRef,
      ...times,
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

const tooManySetupsRefusal = (): DomainError =>
  new DomainError("rate_limited", {
    code: "too_many_attempts",
    message: "Too many card pages are open. Continue on one of them, or try again in an hour.",
  });

const unavailableRefusal = (): DomainError =>
  new DomainError("unavailable", {
    code: "processor_unavailable",
    message: "Cards can’t be added at the moment. Try again in a minute.",
  });
