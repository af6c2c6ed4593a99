import type { Sql } from "../../data/client.ts";
import { type DueMandate, findDueMandates } from "../../data/mandates/mandates.ts";
import type { Deps } from "../../deps/deps.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { standingAt } from "../../kernel/time/clock.ts";
import { inTransaction, transitionMandate } from "./transition-mandate.ts";

/**
 * Ends mandates whose window has closed. Checks refuse them already; this job records the state as of the instant at
 * which the window closed.
 * @returns how many were due; call again while it equals `limit`.
 */
export const expireDueMandates = async (deps: Deps, { limit }: { limit: number }): Promise<number> => {
  const until = await deps.businessClock.dueUntil();
  const due = until === null ? [] : await findDueMandates(deps.db.sql, until, limit);
  for (const mandate of due) await expireAlone(deps, mandate);
  return due.length;
};

/** Expires one mandate in its own transaction, so that no mandate blocks another. It may have ended already. */
const expireAlone = async (deps: Deps, mandate: DueMandate): Promise<void> => {
  try {
    await inTransaction(deps, undefined, (sql) =>
      expireMandate(deps, sql, { due: mandate, requestId: "expire_due_mandates" }),
    );
  } catch (error) {
    if (!isDomainError(error)) throw error;
  }
};

/**
 * Expires a mandate as of the instant at which its window closed.
 * @throws DomainError conflict if the mandate has already ended.
 */
export const expireMandate = async (
  deps: Deps,
  sql: Sql,
  { due, requestId }: { due: DueMandate; requestId: string },
): Promise<void> => {
  const then = { ...deps, businessClock: standingAt(due.validUntil) };
  const actor = { kind: "system", id: "clock" } as const;
  await transitionMandate(then, sql, { mandateId: due.id, actor, requestId, event: "expire" });
};
