import { findDueMandates } from "../data/mandates.ts";
import type { Deps } from "../deps.ts";
import { standingAt } from "../kernel/clock.ts";
import { isDomainError } from "../kernel/errors.ts";
import { inTransaction, transitionMandate } from "./transition-mandate.ts";

/**
 * Ends mandates whose window has closed. The checks refuse them from the very instant, this only makes it their state:
 * as of that instant, whenever a worker gets to it.
 * @returns how many ended; call again while it equals `limit`.
 */
export const expireDueMandates = async (deps: Deps, { limit }: { limit: number }): Promise<number> => {
  const until = await deps.businessClock.dueUntil();
  const due = until === null ? [] : await findDueMandates(deps.db.sql, until, limit);
  for (const { id, validUntil } of due) await expire({ ...deps, businessClock: standingAt(validUntil) }, id);
  return due.length;
};

/** A transaction each, so that one mandate holds up no other. Somebody may have ended it meanwhile: that is fine. */
const expire = async (deps: Deps, mandateId: string): Promise<void> => {
  const actor = { kind: "system", id: "clock" } as const;
  try {
    await inTransaction(deps, undefined, (sql) =>
      transitionMandate(deps, sql, { mandateId, actor, requestId: "expire_due_mandates", event: "expire" }),
    );
  } catch (error) {
    if (!isDomainError(error)) throw error;
  }
};
