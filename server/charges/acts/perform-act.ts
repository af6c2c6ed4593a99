import { appendAudit } from "../../data/audit/audit.ts";
import { claimExpiryAct, postponeAct, releaseAct, reopenCharge } from "../../data/charges/charge-acts.ts";
import { type ChargeRow, findCharge } from "../../data/charges/charges.ts";
import { actRoute, freeIdempotencyKey, keepFinalAnswers } from "../../data/charges/idempotency.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import type { CaptureOutcome, VoidOutcome } from "../../deps/processor-port.ts";
import { addSeconds, type BusinessTime } from "../../kernel/time/clock.ts";
import { refuseUncertain } from "../charge/refuse-uncertain.ts";
import { settleCharge } from "../charge/settle-charge.ts";
import { actorOf, memberData, type SettledBy } from "../charge/settled-by.ts";
import { leaveToReconciler, notSubmittedRefusal, processorKey } from "../charge/submit-charge.ts";
import { answerToAct } from "../idempotency/answers.ts";
import { lookUpPayment } from "../reconcile/look-up-payment.ts";
import { settleFound } from "../reconcile/settle-found.ts";
import type { PendingAct } from "../rules/charge-states.ts";
import { type ActResult, actResult, refusedAct } from "../rules/results.ts";
import { callSeconds, isHoldLapsed, isUnanswered, leaseSeconds, lookupDelaySeconds } from "../rules/schedule.ts";
import type { ChargeEvent } from "../rules/settlement.ts";

type Acting = ChargeRow & { pendingAct: PendingAct };
type Result = ActResult<ChargeRow>;

/**
 * The times of an act that a process has just claimed. If the process crashes, the reconciler continues the act at
 * `nextLookupAt`, and a repeated request can continue it when the lease ends.
 */
export const actTimes = (now: Date) => ({
  leaseUntil: addSeconds(now, leaseSeconds),
  nextLookupAt: addSeconds(now, callSeconds + lookupDelaySeconds(0)),
});

/** The processor's idempotency key of one act. It depends on the charge, the kind of act and the request. */
export const actKey = (chargeId: string, kind: PendingAct["kind"], requestHash: string): string =>
  `${processorKey(chargeId)}:${kind}:${requestHash}`;

/**
 * Performs the charge's pending act at the processor, and settles the charge according to the answer. May be repeated,
 * because the processor performs at most one act per key.
 * @param attempt.isFirst whether this is the first attempt to send the act. If true, a refused connection proves that
 *   nothing was sent. If false, an earlier attempt may have sent the act.
 * @throws DomainError only if nothing was sent. unavailable: the act is released, and its idempotency key can be used
 *   again. idempotency_key_in_use: the release of the act couldn't be recorded yet.
 */
export const performAct = async (
  deps: Deps,
  charge: Acting,
  { by, isFirst }: { by: SettledBy; isFirst: boolean },
): Promise<Result> => {
  const { kind } = charge.pendingAct;
  const outcome = await callProcessor(deps, charge, charge.pendingAct);
  if (outcome.kind === "not_sent" && isFirst) {
    if (await free(deps, charge).catch(refuseUncertain)) throw notSubmittedRefusal();
    return actResult((await findCharge(deps.db.sql, charge.id)) ?? charge, kind);
  }
  try {
    return await follow(deps, { charge, by }, outcome);
  } catch (error) {
    leaveToReconciler(deps, { chargeId: charge.id }, error);
    return actResult(charge, kind);
  }
};

/** An act in progress and who performs it. */
type Act = { charge: Acting; by: SettledBy };

const follow = (deps: Deps, act: Act, outcome: CaptureOutcome | VoidOutcome): Promise<Result> => {
  const { pendingAct } = act.charge;
  switch (outcome.kind) {
    case "captured":
      return settle(deps, act, { kind: "captured", amountMinor: BigInt(pendingAct.amount) });
    case "voided":
      return settle(deps, act, { kind: pendingAct.kind === "expire" ? "expired" : "voided" });
    case "refused":
      return afterRefusal(deps, act, outcome.code);
    case "not_sent":
    case "unknown":
      return afterNoAnswer(deps, act);
  }
};

/**
 * Captures and voids are repeated until the processor answers. An expiry is not repeated forever. If the processor
 * doesn't answer for a long time, a charge that waited for its payer is looked up, and an authorization expires once
 * the bank no longer holds its amount.
 */
const afterNoAnswer = async (deps: Deps, act: Act): Promise<Result> => {
  const { charge } = act;
  if (charge.pendingAct.kind !== "expire" || !isUnanswered(charge, deps.clock.now())) return postpone(deps, charge);
  if (charge.state === "requires_action") return giveUp(deps, act, { code: "unanswered", isLost: true });
  return (await isGone(deps, charge)) ? settle(deps, act, { kind: "expired" }) : postpone(deps, charge);
};

const settle = async (deps: Deps, { charge, by }: Act, event: ChargeEvent): Promise<Result> =>
  actResult(await settleCharge(deps, charge, { event, by }), charge.pendingAct.kind);

/**
 * After a refusal, the payment's state shows which case applies: the act was already done, or it can't be done and the
 * refusal is final.
 */
const afterRefusal = async (deps: Deps, act: Act, code: string): Promise<Result> => {
  const { charge, by } = act;
  const found = await lookUpPayment(deps, charge, { requestId: by.requestId });
  if (found.kind === "unknown" || found.kind === "not_sent") return afterNoAnswer(deps, act);
  const settled = await settleFound(deps, charge, { found, by });
  if (found.kind === "not_found" && (await isGone(deps, charge))) return settle(deps, act, { kind: "expired" });
  const isLost = found.kind === "not_found" || found.kind === "mismatch";
  return settled.state === charge.state
    ? giveUp(deps, act, { code, isLost })
    : actResult(settled, charge.pendingAct.kind);
};

/** Whether the bank no longer holds the amount of an expired authorization that the processor couldn't void. */
const isGone = async ({ businessClock }: Deps, { state, pendingAct, createdAt }: Acting): Promise<boolean> =>
  state === "authorized" && pendingAct.kind === "expire" && isHoldLapsed(createdAt, await businessClock.now());

const callProcessor = (deps: Deps, charge: ChargeRow, act: PendingAct): Promise<CaptureOutcome | VoidOutcome> => {
  const processor = deps.processors.get(charge.processor);
  const payment = { key: act.key, account: charge.processorAccount, reference: charge.processorRef ?? "" };
  return act.kind === "capture"
    ? processor.capture({ ...payment, amountMinor: BigInt(act.amount), currency: charge.currency })
    : processor.void(payment);
};

const postpone = async (deps: Deps, charge: Acting): Promise<Result> => {
  const nextLookupAt = addSeconds(deps.clock.now(), lookupDelaySeconds(charge.lookups));
  await postponeAct(deps.db.sql, { chargeId: charge.id, key: charge.pendingAct.key, nextLookupAt });
  return actResult(charge, charge.pendingAct.kind);
};

/** The times of the next check and of the expiry, for a charge whose state didn't change. */
const afterAct = (charge: ChargeRow, { at, now }: { at: BusinessTime; now: Date }) => {
  const isOver = charge.expiresAt === null || charge.expiresAt <= at;
  if (charge.state === "requires_action") {
    return { nextLookupAt: addSeconds(now, isOver ? 3600 : lookupDelaySeconds(0)), expiresAt: charge.expiresAt };
  }
  // If the charge is past its time but the processor refused the expiry, the expiry is tried again a day later.
  return { nextLookupAt: null, expiresAt: isOver ? addSeconds(at, 24 * 3600) : charge.expiresAt };
};

/**
 * Ends an act that the processor refused permanently, or an expiry that it didn't answer for a long time. The charge
 * doesn't change, and the refusal is stored under the act's key. A refused expiry is tried again later. The exception
 * is a charge that waited for its payer and whose payment the processor doesn't find or report: its regular look-ups
 * start again instead.
 */
const giveUp = async (
  deps: Deps,
  { charge, by }: Act,
  { code, isLost }: { code: string; isLost: boolean },
): Promise<Result> => {
  const { pendingAct: act, id: chargeId, merchantId } = charge;
  const refused = refusedAct({ ...charge, pendingAct: null }, code);
  const at = await deps.businessClock.now();
  const isOurs = await deps.db.sqlTransaction(async (sql) => {
    if (!(await release(sql, charge, { isLost, at, now: deps.clock.now() }))) return false;
    const answers = [{ ...answerToAct(deps, refused), route: actRoute(chargeId, act.kind) }];
    await keepFinalAnswers(sql, { merchantId, chargeId, answers, at });
    await appendAudit(sql, {
      at,
      actor: actorOf(charge, by),
      action: `charge.${act.kind}_refused`,
      subjectId: chargeId,
      requestId: by.requestId,
      data: {
        mandate_id: charge.mandateId,
        amount: act.amount,
        code,
        ...memberData(merchantId, actorOf(charge, by)),
      },
    });
    return true;
  });
  return isOurs ? refused : actResult((await findCharge(deps.db.sql, chargeId)) ?? charge, act.kind);
};

/** @returns false if another process ended the act. */
const release = (
  sql: Sql,
  charge: Acting,
  { isLost, at, now }: { isLost: boolean; at: BusinessTime; now: Date },
): Promise<boolean> => {
  const { pendingAct: act, id: chargeId } = charge;
  const isReopened = isLost && act.kind === "expire" && charge.state === "requires_action";
  return isReopened
    ? reopenCharge(sql, { chargeId, key: act.key, nextLookupAt: addSeconds(now, lookupDelaySeconds(0)) })
    : releaseAct(sql, { chargeId, key: act.key, ...afterAct(charge, { at, now }), unlessTakenSince: null });
};

/** @returns false if another process took the act over and may have sent it. */
const free = (deps: Deps, charge: Acting): Promise<boolean> =>
  deps.db.sqlTransaction(async (sql) => {
    const { id: chargeId, merchantId, pendingAct: act } = charge;
    const later = afterAct(charge, { at: await deps.businessClock.now(), now: deps.clock.now() });
    if (!(await releaseAct(sql, { chargeId, key: act.key, ...later, unlessTakenSince: charge }))) return false;
    await freeIdempotencyKey(sql, { merchantId, chargeId, route: actRoute(chargeId, act.kind) });
    return true;
  });

/**
 * Ends a charge that waited too long for its capture or its payer. The payment is voided at the processor, and the
 * charge then expires here. Each try has a new key, because a processor repeats a refusal for the same key.
 */
export const expireAtProcessor = async (deps: Deps, charge: ChargeRow, by: SettledBy): Promise<ChargeRow> => {
  const at = await deps.businessClock.now();
  const now = deps.clock.now();
  const key = actKey(charge.id, "expire", now.toISOString());
  const act: PendingAct = { kind: "expire", amount: Number(charge.amount), key };
  const claimed = await claimExpiryAct(deps.db.sql, { charge, act, at, ...actTimes(now) });
  if (claimed) await performAct(deps, { ...claimed, pendingAct: act }, { by, isFirst: false });
  return (await findCharge(deps.db.sql, charge.id)) ?? charge;
};
