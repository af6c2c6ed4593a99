import { addSeconds } from "../../kernel/time/clock.ts";
import {
  type ChargeState,
  canBecome,
  type Decline,
  effectOnHold,
  isFinalAnswer,
  type NextAction,
  type PendingAct,
  predecessors,
} from "./charge-states.ts";
import { actionSeconds, authorizationSeconds, lookupDelaySeconds } from "./schedule.ts";

/** What happened to a charge: the processor's answer, or a decision about a charge that was never sent. */
export type ChargeEvent =
  | { kind: "succeeded" | "authorized" | "processing"; processorRef: string }
  | { kind: "requires_action"; processorRef: string; actionUrl: string }
  | { kind: "declined"; processorRef: string | null; declineCode: string; retryable: boolean; advice: string }
  | { kind: "captured"; amountMinor: bigint }
  | { kind: "unknown" | "not_sent" | "voided" | "expired" | "declined_by_payer" | "not_submitted" };

/**
 * Who reports the event: the charge request itself, another request of a merchant or payer, a job, the processor or an
 * operator.
 */
export type SettlerKind = "charge" | "merchant" | "payer" | "reconciler" | "processor" | "operator";

type Charge = {
  state: ChargeState;
  captureMethod: string;
  amount: bigint;
  amountCaptured: bigint;
  processorRef: string | null;
  decline: Decline | null;
  nextAction: NextAction | null;
  pendingAct: PendingAct | null;
  submittedAt: Date | null;
  leaseUntil: Date | null;
  nextLookupAt: Date | null;
  expiresAt: Date | null;
  lookups: number;
  notFoundAt: Date | null;
};

type EventName =
  | `charge.${"authorized" | "succeeded" | "captured" | "declined" | "requires_action" | "unknown" | "voided" | "expired"}`
  | "charge.reconciled";

export type SettlementPlan<Row> = {
  next: Row;
  /** the states that the charge may have when the settlement is written */
  from: readonly ChargeState[];
  /** what happens to the held budget */
  effect: "use" | "release" | "keep";
  /** whether the first final answer is stored under the idempotency key */
  isFinal: boolean;
  /**
   * whether the charge was never sent and its request was not answered; the idempotency key and the presented
   * credential then become free again
   */
  wasNeverSent: boolean;
  /** whether the charge must still be unsent when the settlement is written, because the event is our own decision */
  mustBeUnsubmitted: boolean;
  /**
   * true: the settlement is written only if no other process has taken over the charge, because such a process may have
   * sent the charge
   */
  unlessTakenOver: boolean;
  /** whether captures and voids in progress also get their final answer */
  answersActs: boolean;
  events: readonly EventName[];
};

/**
 * What an event does to a charge, its budget and its answers.
 * @returns null if the transition isn't allowed. @param by who reports it. @param times `at` business time, `now` real
 *   time.
 */
export const planSettlement = <Row extends Charge>(
  charge: Row,
  { event, by }: { event: ChargeEvent; by: SettlerKind },
  times: { at: Date; now: Date },
): SettlementPlan<Row> | null => {
  const next = applyEvent(charge, event, times);
  if (!canBecome(charge.state, next.state)) return null;
  const isFinal = isFinalAnswer(next.state);
  return {
    next,
    // An operator decides on the charge in the displayed state. If the state has changed, this settlement isn't
    // written.
    from: by === "operator" ? [charge.state] : predecessors(next.state),
    effect: effectOnHold(next.state),
    isFinal,
    wasNeverSent: event.kind === "not_sent" || (next.state === "voided" && charge.state === "reserved"),
    mustBeUnsubmitted: charge.submittedAt === null && ownDecisions.has(event.kind),
    unlessTakenOver: event.kind === "not_sent" || (event.kind === "not_submitted" && by === "payer"),
    // The charge request itself has just sent the payment, so no act can be in progress.
    answersActs: by !== "charge" && next.state !== "authorized" && isFinal,
    events: eventsOf(charge.state, next.state, by),
  };
};

/** Events that we or the payer decide. A charge that was unsent then must still be unsent when it is settled. */
const ownDecisions: ReadonlySet<ChargeEvent["kind"]> = new Set(["voided", "expired", "declined_by_payer"]);

const eventNames: Partial<Record<ChargeState, EventName>> = {
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

const reconcilers: ReadonlySet<SettlerKind> = new Set(["reconciler", "processor", "operator"]);

const eventsOf = (from: ChargeState, to: ChargeState, by: SettlerKind): EventName[] => {
  const name = eventNames[to];
  // A webhook may arrive before the response to a call that succeeds. Such a charge doesn't count as reconciled.
  const wasUnclear = from === "unknown" || (from === "submitted" && by === "reconciler");
  const isReconciled = reconcilers.has(by) && wasUnclear && to !== "unknown";
  return [...(name ? [name] : []), ...(isReconciled ? (["charge.reconciled"] as const) : [])];
};

const notSubmitted: Decline = {
  code: "not_submitted",
  decline_code: "not_submitted",
  retryable: true,
  advice: "The payment never reached the processor. Nothing was charged; it is safe to try again.",
};

const declinedByPayer: Decline = {
  code: "declined_by_payer",
  decline_code: "declined_by_payer",
  retryable: false,
  advice: "The payer declined this payment. Nothing was charged. Ask the payer before you try again.",
};

/** The charge after the event. Look-ups follow real time, expiry follows business time. */
const applyEvent = <Row extends Charge>(charge: Row, event: ChargeEvent, { at, now }: { at: Date; now: Date }): Row => {
  const settled: Row = {
    ...charge,
    pendingAct: null,
    leaseUntil: null,
    nextLookupAt: null,
    expiresAt: null,
    lookups: 0,
    notFoundAt: null,
  };
  const nextLookupAt = addSeconds(now, lookupDelaySeconds(0));
  switch (event.kind) {
    case "succeeded":
      return { ...settled, state: "succeeded", amountCaptured: charge.amount, processorRef: event.processorRef };
    case "authorized":
      return {
        ...settled,
        ...authorized(charge),
        processorRef: event.processorRef,
        expiresAt: addSeconds(at, authorizationSeconds),
      };
    case "captured":
      return {
        ...settled,
        state: event.amountMinor === charge.amount ? "captured" : "partially_captured",
        amountCaptured: event.amountMinor,
      };
    case "processing":
      return { ...settled, state: "processing", processorRef: event.processorRef, nextLookupAt };
    case "requires_action":
      return { ...settled, ...redirected(event, at), processorRef: event.processorRef, nextLookupAt };
    case "declined":
      return { ...settled, state: "declined", processorRef: event.processorRef, decline: cardDeclined(event) };
    case "not_sent":
    case "not_submitted":
      return { ...settled, state: "declined", decline: notSubmitted };
    case "declined_by_payer":
      return { ...settled, state: "declined", decline: declinedByPayer };
    case "voided":
    case "expired":
      return { ...settled, state: event.kind };
    case "unknown":
      return { ...settled, state: "unknown", nextLookupAt };
  }
};

/** A void that was requested in the meantime continues. */
const authorized = ({ pendingAct, nextLookupAt }: Charge) =>
  pendingAct?.kind === "void"
    ? { state: "authorized" as const, pendingAct, nextLookupAt }
    : { state: "authorized" as const };

const redirected = ({ actionUrl }: { actionUrl: string }, at: Date) => {
  const expiresAt = addSeconds(at, actionSeconds);
  const nextAction = { type: "redirect", url: actionUrl, expires_at: expiresAt.toISOString() };
  return { state: "requires_action" as const, nextAction, expiresAt };
};

const cardDeclined = (event: { declineCode: string; retryable: boolean; advice: string }): Decline => ({
  code: "card_declined",
  decline_code: event.declineCode,
  retryable: event.retryable,
  advice: event.advice,
});
