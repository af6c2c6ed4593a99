import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { endGrantWithoutLiveMandates, lockMandate, updateMandateTerms } from "../../data/mandates/mandates.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { fromJson, toJson } from "../details/granted-details.ts";
import { toTerms } from "../details/to-terms.ts";
import { mailMandateChange } from "../notices/mail-mandate-change.ts";
import { type Narrowing, narrow } from "../rules/narrow.ts";
import { allocateStatus } from "../status-indexes/allocate-status.ts";
import { markStatus } from "../status-indexes/mark-status.ts";
import { consumeIfDone } from "../use/consume-mandate.ts";
import { countRunningPeriods } from "../use/count-running-periods.ts";
import { inTransaction, isAllowedToAct, type MandateAct, mandateNotFound, nextStanding } from "./transition-mandate.ts";

/**
 * Narrows a live mandate immediately. One transaction creates the next version with its own credential and status
 * index, and sets the revocation bit of the old version. The counters don't change. If the mandate is consumed under
 * the new limits, it ends. A limit for a period that wasn't counted before starts with the amounts already spent and
 * held in that period.
 * @throws DomainError invalid, naming the field that would widen the mandate or an end that isn't in the future;
 *   not_found; conflict if the mandate has ended.
 */
export const narrowMandate = (deps: Deps, act: MandateAct & { narrowing: Narrowing }): Promise<{ version: number }> =>
  inTransaction(deps, act.tx, (sql) => narrowLocked(deps, sql, act));

const narrowLocked = async (
  deps: Deps,
  sql: Sql,
  act: MandateAct & { narrowing: Narrowing },
): Promise<{ version: number }> => {
  const mandate = await lockMandate(sql, act.mandateId, { withGrant: true });
  if (!mandate || !isAllowedToAct(mandate, act.actor)) throw mandateNotFound();
  const at = await deps.businessClock.now();
  nextStanding(mandate, { event: "narrow", actor: act.actor.kind, at });
  const details = narrow(fromJson(mandate.details), act.narrowing);
  const terms = toTerms(details, mandate.consentedAt);
  if (terms.validUntil <= at) {
    const errors = [{ pointer: "/valid_until", detail: "is in the past; revoke the mandate instead" }];
    throw new DomainError("invalid", { code: "not_narrower", message: "The end must be in the future.", errors });
  }
  const version = mandate.version + 1;
  await updateMandateTerms(sql, { id: mandate.id, version, details: toJson(details), terms });
  await countRunningPeriods(sql, { mandateId: mandate.id, terms, at });
  await markStatus(sql, { mandateId: mandate.id, version: mandate.version, revoked: true, at: deps.clock.now() });
  await allocateStatus(deps, sql, { mandateId: mandate.id, version, details: toJson(details), at });
  await appendAudit(sql, {
    at,
    actor: act.actor,
    action: "mandate.narrowed",
    subjectId: mandate.id,
    requestId: act.requestId,
    data: { version, narrowing: JSON.parse(JSON.stringify(act.narrowing)) },
  });
  await appendEvent(sql, {
    type: "mandate.updated",
    objectId: mandate.id,
    data: { mandate_id: mandate.id, status: mandate.state, version, client_id: mandate.clientId },
    at,
  });
  const narrowed = { ...mandate, ...terms, version };
  const endedGrant = await consumeIfDone(sql, {
    mandateId: mandate.id,
    mandate: narrowed,
    at,
    requestId: act.requestId,
  });
  if (endedGrant) await endGrantWithoutLiveMandates(sql, endedGrant, at);
  const { actor: by, requestId } = act;
  const narrowedTo = { details, consentedAt: mandate.consentedAt };
  await mailMandateChange(deps, sql, {
    mandateIds: [mandate.id],
    change: "narrowed",
    narrowed: narrowedTo,
    by,
    at,
    requestId,
  });
  return { version };
};
