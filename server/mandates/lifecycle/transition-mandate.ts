import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Sql, Tx } from "../../data/client.ts";
import {
  endGrantWithoutLiveMandates,
  type LockedMandate,
  lockMandate,
  updateMandateState,
} from "../../data/mandates/mandates.ts";
import { appendEvent, type EventType } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { effectiveState } from "../rules/limits.ts";
import {
  isFinal,
  type MandateActor,
  type MandateEvent,
  type MandateState,
  type RefusedTransition,
  type Standing,
  transition,
} from "../rules/transitions.ts";
import { markStatus } from "../status-indexes/mark-status.ts";

export type MandateAct = {
  mandateId: string;
  actor: Actor;
  requestId: string;
  /** stored in the audit log, for operators only */
  reason?: string;
  /** the caller's transaction, if there is one */
  tx?: Pick<Tx, "sql">;
};

/** Runs in the caller's transaction, or in a new one. */
export const inTransaction = <T>(
  deps: Pick<Deps, "db">,
  tx: Pick<Tx, "sql"> | undefined,
  work: (sql: Sql) => Promise<T>,
): Promise<T> => (tx ? work(tx.sql) : deps.db.sqlTransaction(work));

/** Unknown ids and other parties' mandates get the same answer, so that an id reveals nothing. */
export const mandateNotFound = (): DomainError =>
  new DomainError("not_found", { code: "mandate_not_found", message: "Mandate not found. Check the ID." });

export const isAllowedToAct = (mandate: LockedMandate, actor: Actor): boolean => {
  switch (actor.kind) {
    case "payer":
      return mandate.payerId === actor.id;
    case "client":
      return mandate.clientId === actor.id;
    case "operator":
    case "system":
      return true;
    case "merchant":
    case "anonymous":
      return false;
  }
};

/**
 * The state after an event at `at`. The mandate expires at the instant at which its window closes, whether the expiry
 * is recorded or not. At this instant and later, only `expire` is allowed. Before it, `expire` isn't allowed.
 * @throws DomainError conflict if the state doesn't allow it.
 */
export const nextStanding = (
  mandate: LockedMandate,
  { event, actor, at }: { event: MandateEvent; actor: MandateActor; at: BusinessTime },
): Standing => {
  const state = effectiveState(mandate.state, mandate.validUntil, at);
  if (event === "expire" && state !== "expired") throw transitionRefusal(state, "not_allowed");
  const result = transition(event === "expire" ? mandate : { ...mandate, state }, event, actor);
  if (!result.ok) throw transitionRefusal(state, result.code);
  return result.next;
};

/** The state after the payer's decision about a pushed request. A mandate isn't stored before it has this state. */
export const decidePending = (event: "approve" | "reject"): MandateState => {
  const result = transition({ state: "pending", suspendedBy: [] }, event, "payer");
  if (!result.ok) throw new Error(`the payer can't ${event} a pending mandate`);
  return result.next.state;
};

const transitionRefusal = (state: MandateState, code: RefusedTransition): DomainError =>
  code === "not_allowed"
    ? new DomainError("conflict", {
        code: `mandate_${state}`,
        message: `The mandate is ${state}, so this action is not possible.`,
      })
    : new DomainError("conflict", {
        code,
        message:
          code === "already_suspended"
            ? "The mandate is already suspended."
            : "Someone else suspended this mandate. Only they can resume it.",
      });

/**
 * One transition with its status bits, voided charges, audit entry and event, in one transaction.
 * @throws DomainError not_found if it isn't the actor's mandate, conflict if the state doesn't allow it.
 */
export const transitionMandate = async (
  deps: Deps,
  sql: Sql,
  act: MandateAct & { event: MandateEvent },
): Promise<{ state: MandateState; at: BusinessTime }> => {
  const mandate = await lockMandate(sql, act.mandateId, {
    withGrant: act.event === "revoke" || act.event === "expire",
  });
  if (!mandate || !isAllowedToAct(mandate, act.actor)) throw mandateNotFound();
  const at = await deps.businessClock.now();
  const { state, suspendedBy } = nextStanding(mandate, { event: act.event, actor: act.actor.kind, at });
  await updateMandateState(sql, { id: mandate.id, state, suspendedBy, endedAt: isFinal(state) ? at : null });
  await markBits(sql, mandate, { state, at: deps.clock.now() });
  if (state === "revoked") {
    await deps.voidUnsubmittedCharges(sql, { mandateId: mandate.id, at, requestId: act.requestId });
  }
  await appendAudit(sql, {
    at,
    actor: act.actor,
    action: `mandate.${auditVerbs[act.event]}`,
    subjectId: mandate.id,
    requestId: act.requestId,
    data: { state, ...(act.reason === undefined ? {} : { reason: act.reason }) },
  });
  if (state !== mandate.state) {
    await appendEvent(sql, {
      type: eventTypeOf(state),
      objectId: mandate.id,
      data: { mandate_id: mandate.id, status: state, version: mandate.version, client_id: mandate.clientId },
      at,
    });
  }
  if (isFinal(state)) await endGrantWithoutLiveMandates(sql, mandate.grantId, at);
  return { state, at };
};

/**
 * Revoking sets the revocation bit of every version. Suspending sets the suspension bit of the current version. It is
 * cleared when the mandate is active again. Expiry and consumption change no bit.
 */
const markBits = async (
  sql: Sql,
  mandate: LockedMandate,
  { state, at }: { state: MandateState; at: Date },
): Promise<void> => {
  if (state === mandate.state) return;
  if (state === "revoked") await markStatus(sql, { mandateId: mandate.id, version: "all", revoked: true, at });
  else if (state === "suspended" || state === "active") {
    await markStatus(sql, { mandateId: mandate.id, version: mandate.version, suspended: state === "suspended", at });
  }
};

const auditVerbs: Readonly<Record<MandateEvent, string>> = {
  approve: "activated",
  reject: "rejected",
  time_out: "timed_out",
  suspend: "suspended",
  resume: "resumed",
  narrow: "narrowed",
  replace: "replaced",
  revoke: "revoked",
  expire: "expired",
  consume: "consumed",
};

const eventTypeOf = (state: MandateState): EventType => {
  switch (state) {
    case "active":
      return "mandate.resumed";
    case "suspended":
      return "mandate.suspended";
    case "revoked":
      return "mandate.revoked";
    case "expired":
      return "mandate.expired";
    case "consumed":
      return "mandate.consumed";
    case "pending":
    case "rejected":
      throw new Error(`a live mandate can't become ${state}`);
  }
};
