import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import {
  endGrantWithoutLiveMandates,
  findOpenGrantIdsWithoutLiveMandates,
  type LockedMandate,
  lockGrant,
  updateMandateState,
} from "../../data/mandates/mandates.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import { effectiveState, isConsumed } from "../rules/limits.ts";
import type { Counters, MandateTerms } from "../rules/terms.ts";
import { transition } from "../rules/transitions.ts";

/** The mandate in the caller's transaction: state, lifetime caps and their counters. */
type Used = Pick<LockedMandate, "grantId" | "clientId" | "state" | "version" | "suspendedBy" | "validUntil"> &
  Pick<MandateTerms, "maxTotalAmount" | "maxPayments" | "refundPolicy"> &
  Counters;

/**
 * Ends a mandate whose used counters have reached a lifetime cap while nothing is held. A mandate whose validity has
 * ended expires instead, even if its expiry isn't recorded yet.
 * The caller's transaction holds the mandate's lock. @returns the id of its grant if it was consumed, otherwise null.
 */
export const consumeIfDone = async (
  sql: Sql,
  input: { mandateId: string; mandate: Used; at: Date; requestId: string },
): Promise<string | null> => {
  const { mandateId, mandate, at, requestId } = input;
  if (!isConsumed(mandate, mandate)) return null;
  const state = effectiveState(mandate.state, mandate.validUntil, at);
  const result = transition({ ...mandate, state }, "consume", "system");
  if (!result.ok) return null;
  await updateMandateState(sql, { id: mandateId, ...result.next, endedAt: at });
  await appendAudit(sql, {
    at,
    actor: { kind: "system", id: "engine" },
    action: "mandate.consumed",
    subjectId: mandateId,
    requestId,
  });
  await appendEvent(sql, {
    type: "mandate.consumed",
    objectId: mandateId,
    data: { mandate_id: mandateId, status: "consumed", version: mandate.version, client_id: mandate.clientId },
    at,
  });
  return mandate.grantId;
};

/**
 * Ends the open grants of consumed mandates: the process may have crashed after the transaction that consumed the
 * mandate and before the one that ends its grant. The events of these mandates stay pending until the grants end.
 */
export const endGrantsOfConsumed = async (
  deps: Pick<Deps, "db" | "businessClock">,
  mandateIds: readonly string[],
): Promise<void> => {
  if (mandateIds.length === 0) return;
  for (const grantId of await findOpenGrantIdsWithoutLiveMandates(deps.db.sql, mandateIds)) {
    await endGrantIfDone(deps, grantId);
  }
};

/**
 * Call it after the settling transaction has ended, to avoid a deadlock: that transaction locks the mandate, and a
 * grant must be locked before its mandates.
 */
export const endGrantIfDone = (deps: Pick<Deps, "db" | "businessClock">, grantId: string): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    await lockGrant(sql, grantId);
    await endGrantWithoutLiveMandates(sql, grantId, await deps.businessClock.now());
  });
