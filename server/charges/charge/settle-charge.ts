import type { Actor, AuditEntry } from "../../data/audit/audit.ts";
import { updateSettled } from "../../data/charges/charge-settlement.ts";
import { type ChargeRow, findCharge } from "../../data/charges/charges.ts";
import {
  actRoute,
  chargeRoute,
  freeIdempotencyKey,
  type KeptAnswer,
  keepFinalAnswers,
} from "../../data/charges/idempotency.ts";
import type { Sql } from "../../data/client.ts";
import { giveBackCredential } from "../../data/credentials/credential-uses.ts";
import { appendAuditedEvents, type EventType } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import type { PaymentOutcome } from "../../deps/processor-port.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { consumeIfDone, endGrantIfDone } from "../../mandates/use/consume-mandate.ts";
import { tellApproachingLimits } from "../../mandates/use/record-approaching-limits.ts";
import { mailPayer } from "../approvals/ask-payer.ts";
import {
  actionSeconds,
  authorizationSeconds,
  type ChargeState,
  canBecome,
  effectOnHold,
  isFinalAnswer,
  lookupDelaySeconds,
  predecessors,
} from "../rules/settlement.ts";
import { toChargeObject } from "./charge.wire.ts";
import { askerOf } from "./charge-actor.ts";
import { answerForAct, answerForCharge } from "./charge-answer.ts";

/** What happened to a charge: the processor's word, or ours where nothing was sent. */
export type ChargeOutcome =
  | PaymentOutcome
  | { kind: "captured"; amountMinor: bigint }
  | { kind: "voided" }
  | { kind: "expired" }
  | { kind: "declined_by_payer" }
  | { kind: "not_submitted" };

export type SettledBy =
  | { kind: "charge" | "reconciler" | "processor" | "payer"; requestId: string }
  /** a client of the merchant, which need not be the one that charged, or a member of it */
  | { kind: "client"; id: string; requestId: string }
  /** what the processor could not tell, an operator found out */
  | { kind: "operator"; id: string; reason: string; requestId: string };

/** A charge as it stands, and whether this caller moved it there: else somebody else has kept the first final answer. */
export type Settlement = { charge: ChargeRow; isOurs: boolean };

type Also = (sql: Sql, settled: ChargeRow) => Promise<void>;

/** `moveCharge`, for whoever it is all the same to who moved the charge. */
export const settleCharge = async (
  deps: Deps,
  charge: ChargeRow,
  outcome: ChargeOutcome,
  by: SettledBy,
  also?: Also,
): Promise<ChargeRow> => (await moveCharge(deps, charge, outcome, by, also)).charge;

/**
 * Settles a charge by one transaction: its state, its counters from held to used or released, the first final answer
 * under its idempotency key, its mandate's end where due, event and audit.
 * At most one caller moves it; every other gets the charge as it stands.
 * @param also more for the same transaction: done once, and only by the caller that moves the charge.
 */
export const moveCharge = async (
  deps: Deps,
  charge: ChargeRow,
  outcome: ChargeOutcome,
  by: SettledBy,
  also?: Also,
): Promise<Settlement> => {
  const at = await deps.businessClock.now();
  const next = applyOutcome(charge, outcome, { at, now: deps.clock.now() });
  if (!canBecome(charge.state, next.state)) return { charge, isOurs: false };
  const settle = async (sql: Sql) => {
    const written = await write(deps, sql, { charge, next, outcome, by, at });
    if (written) await also?.(sql, next);
    return written;
  };
  const phase = "finishes";
  // Whether it is moved, and what its mandate has come to by that, are told by the one statement that moves it. What mails
  // its payer tells its event later than another that moves the charge on from there would: it goes by itself.
  const interleaves = next.state !== "requires_action";
  const settled = also
    ? await deps.db.inTurn(charge.mandateId, settle, { phase })
    : await deps.db.inSharedTurn(charge.mandateId, settle, { phase, interleaves });
  if (!settled) return { charge: (await findCharge(deps.db.sql, charge.id)) ?? charge, isOurs: false };
  if (settled.endedGrant) await endGrantIfDone(deps, settled.endedGrant);
  return { charge: next, isOurs: true };
};

type Settling = { charge: ChargeRow; next: ChargeRow; outcome: ChargeOutcome; by: SettledBy; at: Date };

/** Nobody's but ours and the payer's, so it holds only for what no processor has heard of. */
const isOurWord: ReadonlySet<ChargeOutcome["kind"]> = new Set(["voided", "expired", "declined_by_payer"]);

type Settled = {
  /** the grant of a mandate that came to its end with this charge */
  endedGrant: string | null;
};

/** @returns null where somebody else moved the charge first: then nothing was written. */
const write = async (deps: Deps, sql: Sql, settling: Settling): Promise<Settled | null> => {
  const { charge, next, outcome, by, at } = settling;
  const isFreed = wasNeverSent(settling);
  const mandate = await updateSettled(sql, {
    chargeId: charge.id,
    merchantId: charge.merchantId,
    mandateId: charge.mandateId,
    to: next.state,
    at,
    effect: effectOnHold(next.state),
    // An operator decides about the charge as it was seen: whatever else it is by now has somebody who will settle it.
    from: by.kind === "operator" ? [charge.state] : predecessors(next.state),
    // Ours to decide only while nothing was sent; afterwards it is the processor's word.
    mustBeUnsubmitted: charge.submittedAt === null && isOurWord.has(outcome.kind),
    unlessTakenSince: isOwnWord(settling) ? charge : null,
    amountCaptured: next.amountCaptured,
    processorRef: next.processorRef,
    decline: next.decline,
    nextAction: next.nextAction,
    isFinal: isFinalAnswer(next.state),
    nextLookupAt: next.nextLookupAt,
    expiresAt: next.expiresAt,
    answer: isFinalAnswer(next.state) && !isFreed ? answerForCharge(deps, next) : null,
  });
  if (!mandate) return null;
  const { merchantId, id: chargeId } = charge;
  if (isFreed) {
    await freeIdempotencyKey(sql, { merchantId, chargeId, route: chargeRoute });
    await giveBackCredential(sql, chargeId);
  }
  if (mayHaveActs(settling)) {
    await keepFinalAnswers(sql, { merchantId, chargeId, answers: answersForActs(deps, next), at });
  }
  const asked = next.state === "requires_action" ? { charge: next, requestId: by.requestId } : null;
  const mailed = asked && (await mailPayer(deps, sql, asked));
  // A statement of its own: what else happened to the charge is seen only now that its mandate is held.
  const told = { types: eventsOf(settling), objectId: chargeId, data: toChargeObject(next), at };
  await appendAuditedEvents(sql, told, auditOf(settling, mailed ?? {}));
  if (effectOnHold(next.state) === "use") {
    await tellApproachingLimits(sql, { mandateId: charge.mandateId, mandate, capturedMinor: next.amountCaptured, at });
  }
  const endedGrant = await consumeIfDone(sql, { mandateId: charge.mandateId, mandate, at, requestId: by.requestId });
  return { endedGrant };
};

/** A capture or void may be under way, unless the call that makes the charge has only just come back. */
const mayHaveActs = ({ next, by }: Settling): boolean =>
  by.kind !== "charge" && next.state !== "authorized" && isFinalAnswer(next.state);

const answersForActs = (deps: Deps, next: ChargeRow): KeptAnswer[] =>
  (["capture", "void"] as const).map((kind) => {
    const { status, body } = answerForAct(deps, next, kind);
    return { route: actRoute(next.id, kind), status, body };
  });

/** That a process sent nothing tells nothing of another one, which may have taken the charge over and sent it. */
const isOwnWord = ({ outcome, by }: Settling): boolean =>
  outcome.kind === "not_sent" || (outcome.kind === "not_submitted" && by.kind === "payer");

/** Then the key is free for another try: only answers that carry a charge are kept. */
const wasNeverSent = ({ charge, next, outcome }: Settling): boolean =>
  outcome.kind === "not_sent" || (next.state === "voided" && charge.state === "reserved");

const auditOf = ({ charge, next, outcome, by, at }: Settling, more: object): AuditEntry => ({
  at,
  actor: actorOf(charge, by),
  action: `charge.${next.state}`,
  subjectId: charge.id,
  requestId: by.requestId,
  data: {
    mandate_id: charge.mandateId,
    amount: Number(outcome.kind === "captured" ? outcome.amountMinor : charge.amount),
    currency: charge.currency,
    outcome: outcome.kind,
    ...(by.kind === "operator" ? { reason: by.reason } : {}),
    ...more,
  },
});

export const actorOf = (charge: ChargeRow, by: SettledBy): Actor => {
  switch (by.kind) {
    case "charge":
      return { kind: "client", id: charge.merchantClientId };
    case "client":
      return askerOf(by.id);
    case "operator":
      return { kind: "operator", id: by.id };
    case "payer":
      return { kind: "payer", id: charge.payerId };
    case "reconciler":
    case "processor":
      return { kind: "system", id: by.kind };
  }
};

const eventTypes: Partial<Record<ChargeState, EventType>> = {
  authorized: "charge.authorized",
  succeeded: "charge.succeeded",
  captured: "charge.captured",
  partially_captured: "charge.captured",
  declined: "charge.declined",
  requires_action: "charge.requires_action",
  unknown: "charge.unknown",
  voided: "charge.voided",
  expired: "charge.expired",
};

const settlesDoubt: ReadonlySet<SettledBy["kind"]> = new Set(["reconciler", "processor", "operator"]);

const eventsOf = ({ charge, next, by }: Settling): EventType[] => {
  const type = eventTypes[next.state];
  // A webhook may come before the answer to a call that goes well.
  const wasInDoubt = charge.state === "unknown" || (charge.state === "submitted" && by.kind === "reconciler");
  const isReconciled = settlesDoubt.has(by.kind) && wasInDoubt && next.state !== "unknown";
  return [...(type ? [type] : []), ...(isReconciled ? (["charge.reconciled"] as const) : [])];
};

const notSubmitted = {
  code: "not_submitted",
  decline_code: "not_submitted",
  retryable: true,
  advice: "The payment never reached the processor. Nothing was charged; it is safe to try again.",
};

const declinedByPayer = {
  code: "declined_by_payer",
  decline_code: "declined_by_payer",
  retryable: false,
  advice: "The payer declined this payment. Nothing was charged. Ask the payer before you try again.",
};

/** The charge as it will stand: `at` business time, looked at again by real time. Pure. */
const applyOutcome = (charge: ChargeRow, outcome: ChargeOutcome, { at, now }: { at: Date; now: Date }): ChargeRow => {
  const settled: ChargeRow = {
    ...charge,
    pendingAct: null,
    leaseUntil: null,
    nextLookupAt: null,
    expiresAt: null,
    lookups: 0,
    notFoundAt: null,
  };
  const later = addSeconds(now, lookupDelaySeconds(0));
  switch (outcome.kind) {
    case "succeeded":
      return { ...settled, state: "succeeded", amountCaptured: charge.amount, processorRef: outcome.processorRef };
    case "authorized": {
      // A void that was asked for meanwhile goes on.
      const { pendingAct, nextLookupAt } = charge.pendingAct?.kind === "void" ? charge : settled;
      const { processorRef } = outcome;
      const expiresAt = addSeconds(at, authorizationSeconds);
      return { ...settled, state: "authorized", processorRef, pendingAct, nextLookupAt, expiresAt };
    }
    case "captured": {
      const state = outcome.amountMinor === charge.amount ? "captured" : "partially_captured";
      return { ...settled, state, amountCaptured: outcome.amountMinor };
    }
    case "processing":
      return { ...settled, state: "processing", processorRef: outcome.processorRef, nextLookupAt: later };
    case "requires_action": {
      const expiresAt = addSeconds(at, actionSeconds);
      const nextAction = { type: "redirect", url: outcome.actionUrl, expires_at: expiresAt.toISOString() };
      return {
        ...settled,
        state: "requires_action",
        processorRef: outcome.processorRef,
        nextAction,
        nextLookupAt: later,
        expiresAt,
      };
    }
    case "declined": {
      const { declineCode, retryable, advice, processorRef } = outcome;
      const decline = { code: "card_declined", decline_code: declineCode, retryable, advice };
      return { ...settled, state: "declined", processorRef, decline };
    }
    case "not_sent":
    case "not_submitted":
      return { ...settled, state: "declined", decline: notSubmitted };
    case "declined_by_payer":
      return { ...settled, state: "declined", decline: declinedByPayer };
    case "voided":
    case "expired":
      return { ...settled, state: outcome.kind };
    case "unknown":
      return { ...settled, state: "unknown", nextLookupAt: later };
  }
};
