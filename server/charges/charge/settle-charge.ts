import type { AuditEntry } from "../../data/audit/audit.ts";
import {
  type SettledMandate,
  updateSettled,
  updateSettledAlone,
  updateSettledFirst,
} from "../../data/charges/charge-settlement.ts";
import { type ChargeRow, findCharge } from "../../data/charges/charges.ts";
import { chargeRoute, freeIdempotencyKey, keepFinalAnswers } from "../../data/charges/idempotency.ts";
import type { Sql } from "../../data/client.ts";
import { giveBackCredential } from "../../data/credentials/credential-uses.ts";
import { type AuditedEvents, appendAuditedEvents } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { consumeIfDone, endGrantIfDone } from "../../mandates/use/consume-mandate.ts";
import type { LimitMarks } from "../../mandates/use/limit-marks.ts";
import { recordApproachingLimits } from "../../mandates/use/record-approaching-limits.ts";
import { mailPayer } from "../approvals/ask-payer.ts";
import { recordFailure } from "../failures/record-failure.ts";
import { answersToActs, answerToCharge } from "../idempotency/answers.ts";
import { isPayersFailure } from "../rules/failure.ts";
import { noticeGraceSeconds } from "../rules/notice.ts";
import { chargeResult } from "../rules/results.ts";
import { type ChargeEvent, planSettlement, type SettlementPlan } from "../rules/settlement.ts";
import { toChargeObject } from "./charge.wire.ts";
import { actorOf, memberData, type SettledBy } from "./settled-by.ts";

/**
 * The charge after a settlement. `isOurs`: whether this caller moved it; if not, another caller has stored the first
 * final answer.
 */
export type Settlement = { charge: ChargeRow; isOurs: boolean };

type Settling = {
  event: ChargeEvent;
  by: SettledBy;
  /** additional work in the same transaction; only the caller that settles the charge runs it, once */
  also?: ((sql: Sql, settled: ChargeRow) => Promise<void>) | undefined;
  /** given if the use of each limit probably stays below these marks: one statement can then settle the charge */
  marks?: LimitMarks | null;
};

/** Like `moveCharge`, but returns only the charge. */
export const settleCharge = async (deps: Deps, charge: ChargeRow, settling: Settling): Promise<ChargeRow> =>
  (await moveCharge(deps, charge, settling)).charge;

/**
 * Settles a charge in one transaction. This writes the charge's state, moves its counters from held to used or
 * released, stores the first final answer under its idempotency key, ends the mandate if the mandate is used up, and
 * adds events and the audit entry. At most one caller settles the charge. Every other caller gets the charge in its
 * current state. If the charge's state doesn't allow the event, the given charge is returned.
 */
export const moveCharge = async (deps: Deps, charge: ChargeRow, settling: Settling): Promise<Settlement> => {
  const { event, by, also } = settling;
  const at = await deps.businessClock.now();
  const plan = planSettlement(charge, { event, by: by.kind }, { at, now: deps.clock.now() });
  if (!plan) return { charge, isOurs: false };
  const writing = { charge, plan, event, by, at };
  const settle = async (sql: Sql) => {
    const written = await write(deps, sql, writing);
    if (written) await also?.(sql, plan.next);
    return written;
  };
  const phase = "finishes";
  // The statement that moves the charge also returns the mandate's counters. The settlement doesn't read them again, so
  // statements of other charges may run between its statements. The exception is a settlement to `requires_action`,
  // which also queues an e-mail. To keep events in order, it runs alone, after the settlements that interleave.
  const interleaves = plan.next.state !== "requires_action";
  const settled = also
    ? await deps.db.inTurn(charge.mandateId, settle, { phase })
    : await deps.db.inSharedTurn(charge.mandateId, settle, {
        phase,
        interleaves,
        alone: aloneOf(deps, writing, settling.marks),
      });
  if (!settled) return { charge: (await findCharge(deps.db.sql, charge.id)) ?? charge, isOurs: false };
  if (settled.endedGrant) await endGrantIfDone(deps, settled.endedGrant);
  return { charge: plan.next, isOurs: true };
};

type Writing = {
  charge: ChargeRow;
  plan: SettlementPlan<ChargeRow>;
  event: ChargeEvent;
  by: SettledBy;
  at: Date;
};

type Settled = {
  /** the mandate's grant if the mandate ended with this charge; otherwise null */
  endedGrant: string | null;
};

/**
 * Writes the usual case of `writeFirst` as one statement without a transaction. It writes nothing if the usual
 * case doesn't apply or no longer applies, or if more must be written because of a limit of the mandate.
 */
const aloneOf = (deps: Deps, writing: Writing, marks: LimitMarks | null = null) => {
  if (marks === null || !isFirstAcceptance(writing)) return null;
  const first = { events: eventsOf(writing), entry: auditOf(writing, {}), marks };
  return async (sql: Sql): Promise<Settled | undefined> => {
    const isSettled = await updateSettledAlone(sql, settlementOf(deps, writing), first);
    return isSettled ? { endedGrant: null } : undefined;
  };
};

/** @returns null if another caller moved the charge first. In this case, nothing was written. */
const write = async (deps: Deps, sql: Sql, writing: Writing): Promise<Settled | null> => {
  const { charge, plan, by, at } = writing;
  const mandate = (await writeFirst(deps, sql, writing)) ?? (await writeSeparately(deps, sql, writing));
  if (!mandate) return null;
  const { mandateId } = charge;
  const { requestId } = by;
  if (plan.effect === "use") {
    const use = { mandateId, mandate, capturedMinor: plan.next.amountCaptured, at };
    await recordApproachingLimits(deps, sql, { ...use, requestId });
  }
  const endedGrant = await consumeIfDone(sql, { mandateId, mandate, at, requestId });
  return { endedGrant };
};

const settlementOf = (deps: Deps, { charge, plan, at }: Writing) => {
  const { next } = plan;
  return {
    chargeId: charge.id,
    merchantId: charge.merchantId,
    mandateId: charge.mandateId,
    to: next.state,
    at,
    effect: plan.effect,
    from: plan.from,
    mustBeUnsubmitted: plan.mustBeUnsubmitted,
    unlessTakenSince: plan.unlessTakenOver ? charge : null,
    amountCaptured: next.amountCaptured,
    processorRef: next.processorRef,
    decline: next.decline,
    nextAction: next.nextAction,
    isFinal: plan.isFinal,
    nextLookupAt: next.nextLookupAt,
    expiresAt: next.expiresAt,
    noticeDueAfter: addSeconds(charge.createdAt, -noticeGraceSeconds),
    answer: plan.isFinal && !plan.wasNeverSent ? answerToCharge(deps, chargeResult(next)) : null,
  };
};

/** The usual case: the processor accepted a charge that has no events yet. */
const isFirstAcceptance = ({ charge, plan }: Writing): boolean => {
  const isAccepted = plan.next.state === "succeeded" || plan.next.state === "authorized";
  return isAccepted && charge.state === "submitted" && charge.nextAction === null && !plan.answersActs;
};

/**
 * In the usual case, one statement writes everything.
 * @returns null if the usual case doesn't apply or no longer applies. In this case, nothing was written.
 */
const writeFirst = async (deps: Deps, sql: Sql, writing: Writing): Promise<SettledMandate | null> => {
  if (!isFirstAcceptance(writing)) return null;
  const first = { events: eventsOf(writing), entry: auditOf(writing, {}) };
  return updateSettledFirst(sql, settlementOf(deps, writing), first);
};

const writeSeparately = async (deps: Deps, sql: Sql, writing: Writing): Promise<SettledMandate | null> => {
  const mandate = await updateSettled(sql, settlementOf(deps, writing));
  if (!mandate) return null;
  const { by } = writing;
  const { next } = writing.plan;
  await writeKeys(deps, sql, writing);
  const mailed =
    next.state === "requires_action" ? await mailPayer(deps, sql, { charge: next, requestId: by.requestId }) : {};
  // The event is written by a separate statement. It starts after the mandate was locked, so that it sees all other
  // changes of the charge.
  const events = eventsOf(writing);
  const entry = auditOf(writing, mailed);
  if (isPayersFailure(next)) await recordFailure(deps, sql, { charge: next, events, entry });
  else await appendAuditedEvents(sql, events, entry);
  return mandate;
};

const eventsOf = ({ charge, plan, at }: Writing): AuditedEvents => ({
  types: plan.events,
  objectId: charge.id,
  data: toChargeObject(plan.next),
  at,
});

/** The key of a charge that was never sent becomes free; captures and voids in progress get their final answer. */
const writeKeys = async (deps: Deps, sql: Sql, { charge, plan, at }: Writing): Promise<void> => {
  const { merchantId, id: chargeId } = charge;
  if (plan.wasNeverSent) {
    await freeIdempotencyKey(sql, { merchantId, chargeId, route: chargeRoute });
    await giveBackCredential(sql, chargeId);
  }
  if (plan.answersActs) {
    await keepFinalAnswers(sql, { merchantId, chargeId, answers: answersToActs(deps, plan.next), at });
  }
};

const auditOf = ({ charge, plan, event, by, at }: Writing, more: { mail?: string }): AuditEntry => ({
  at,
  actor: actorOf(charge, by),
  action: `charge.${plan.next.state}`,
  subjectId: charge.id,
  requestId: by.requestId,
  data: {
    mandate_id: charge.mandateId,
    amount: Number(event.kind === "captured" ? event.amountMinor : charge.amount),
    currency: charge.currency,
    outcome: event.kind,
    ...memberData(charge.merchantId, actorOf(charge, by)),
    ...(by.kind === "operator" ? { reason: by.reason } : {}),
    ...more,
  },
});
