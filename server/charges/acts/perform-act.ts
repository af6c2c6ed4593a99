import { appendAudit } from "../../data/audit/audit.ts";
import { claimExpiryAct, postponeAct, releaseAct, reopenCharge } from "../../data/charges/charge-acts.ts";
import { type ChargeRow, findCharge, type PendingAct } from "../../data/charges/charges.ts";
import { actRoute, freeIdempotencyKey, keepFinalAnswers } from "../../data/charges/idempotency.ts";
import type { Deps } from "../../deps/deps.ts";
import type { CaptureOutcome, VoidOutcome } from "../../deps/processor-port.ts";
import { addSeconds, type BusinessTime } from "../../kernel/time/clock.ts";
import { answerForAct, type ChargeAnswer, refusedAct } from "../charge/charge-answer.ts";
import { refuseUncertain } from "../charge/refuse-uncertain.ts";
import { actorOf, type ChargeOutcome, type SettledBy, settleCharge } from "../charge/settle-charge.ts";
import { leaveToReconciler, nothingSubmitted, processorKey } from "../charge/submit-charge.ts";
import { lookUpPayment } from "../reconcile/look-up-payment.ts";
import { settleFound } from "../reconcile/settle-found.ts";
import { callSeconds, isHoldLapsed, isUnanswered, leaseSeconds, lookupDelaySeconds } from "../rules/settlement.ts";

type Acting = ChargeRow & { pendingAct: PendingAct };

/** How long the process that claimed an act has it to itself, and when the reconciler takes over should it die. */
export const actTimes = (now: Date) => ({
  leaseUntil: addSeconds(now, leaseSeconds),
  nextLookupAt: addSeconds(now, callSeconds + lookupDelaySeconds(0)),
});

/** The processor's key of one act: of this charge, this kind and this request alone. */
export const actKey = (chargeId: string, kind: PendingAct["kind"], requestHash: string): string =>
  `${processorKey(chargeId)}:${kind}:${requestHash}`;

/**
 * Does at the processor what the charge's pending act says, and settles by its answer. May be repeated: the act's key
 * does it at most once.
 * @param isFirst whether nothing of this act was ever sent: only then does a refused connection prove that nothing was.
 * @throws DomainError unavailable where nothing was sent: the act is given up and its idempotency key free; in use where
 * nothing was sent and that can't be written down now.
 */
export const performAct = async (
  deps: Deps,
  charge: Acting,
  by: SettledBy,
  isFirst: boolean,
): Promise<ChargeAnswer> => {
  const act = charge.pendingAct;
  const outcome = await callProcessor(deps, charge, act);
  if (outcome.kind === "not_sent" && isFirst) {
    if (await free(deps, charge).catch(refuseUncertain)) throw nothingSubmitted();
    return answerForAct(deps, (await findCharge(deps.db.sql, charge.id)) ?? charge, act.kind);
  }
  try {
    return await follow(deps, charge, outcome, by);
  } catch (error) {
    leaveToReconciler(deps, { chargeId: charge.id }, error);
    return answerForAct(deps, charge, act.kind);
  }
};

const follow = (
  deps: Deps,
  charge: Acting,
  outcome: CaptureOutcome | VoidOutcome,
  by: SettledBy,
): Promise<ChargeAnswer> => {
  const act = charge.pendingAct;
  switch (outcome.kind) {
    case "captured":
      return settle(deps, charge, { kind: "captured", amountMinor: BigInt(act.amount) }, by);
    case "voided":
      return settle(deps, charge, { kind: act.kind === "expire" ? "expired" : "voided" }, by);
    case "refused":
      return afterRefusal(deps, charge, by, outcome.code);
    case "not_sent":
    case "unknown":
      return afterNoAnswer(deps, charge, by);
  }
};

/**
 * Asked again, for as long as it takes. What was to expire and nobody answers about ends all the same: what waited for its
 * payer is looked up to the end, as what nobody answers is, and an authorization lapses.
 */
const afterNoAnswer = async (deps: Deps, charge: Acting, by: SettledBy): Promise<ChargeAnswer> => {
  if (charge.pendingAct.kind !== "expire" || !isUnanswered(charge, deps.clock.now())) return postpone(deps, charge);
  if (charge.state === "requires_action") return giveUp(deps, charge, by, { code: "unanswered", isLost: true });
  return (await isGone(deps, charge)) ? settle(deps, charge, { kind: "expired" }, by) : postpone(deps, charge);
};

const settle = async (deps: Deps, charge: Acting, outcome: ChargeOutcome, by: SettledBy): Promise<ChargeAnswer> =>
  answerForAct(deps, await settleCharge(deps, charge, outcome, by), charge.pendingAct.kind);

/** How the payment stands tells why: it was done before, by whomever, or it can't be done, which is the last word then. */
const afterRefusal = async (deps: Deps, charge: Acting, by: SettledBy, code: string): Promise<ChargeAnswer> => {
  const found = await lookUpPayment(deps, charge, { requestId: by.requestId });
  if (found.kind === "unknown" || found.kind === "not_sent") return afterNoAnswer(deps, charge, by);
  const settled = await settleFound(deps, charge, found, by);
  if (found.kind === "not_found" && (await isGone(deps, charge))) return settle(deps, charge, { kind: "expired" }, by);
  const isLost = found.kind === "not_found" || found.kind === "mismatch";
  return settled.state === charge.state
    ? giveUp(deps, charge, by, { code, isLost })
    : answerForAct(deps, settled, charge.pendingAct.kind);
};

/** An authorization that is over, that its processor neither gives up nor knows, and that no bank can hold any more. */
const isGone = async ({ businessClock }: Deps, { state, pendingAct, createdAt }: Acting): Promise<boolean> =>
  state === "authorized" && pendingAct.kind === "expire" && isHoldLapsed(createdAt, await businessClock.now());

const callProcessor = (deps: Deps, charge: ChargeRow, act: PendingAct): Promise<CaptureOutcome | VoidOutcome> => {
  const processor = deps.processors.get(charge.processor);
  const payment = { key: act.key, account: charge.processorAccount, reference: charge.processorRef ?? "" };
  return act.kind === "capture"
    ? processor.capture({ ...payment, amountMinor: BigInt(act.amount), currency: charge.currency })
    : processor.void(payment);
};

const postpone = async (deps: Deps, charge: Acting): Promise<ChargeAnswer> => {
  const nextLookupAt = addSeconds(deps.clock.now(), lookupDelaySeconds(charge.lookups));
  await postponeAct(deps.db.sql, { chargeId: charge.id, key: charge.pendingAct.key, nextLookupAt });
  return answerForAct(deps, charge, charge.pendingAct.kind);
};

/** When a charge that is as it was before the act is looked at again, and when its time is over. */
const afterAct = (charge: ChargeRow, { at, now }: { at: BusinessTime; now: Date }) => {
  const isOver = charge.expiresAt === null || charge.expiresAt <= at;
  if (charge.state === "requires_action") {
    return { nextLookupAt: addSeconds(now, isOver ? 3600 : lookupDelaySeconds(0)), expiresAt: charge.expiresAt };
  }
  // What is over already and could not be expired is tried again a day later.
  return { nextLookupAt: null, expiresAt: isOver ? addSeconds(at, 24 * 3600) : charge.expiresAt };
};

/**
 * The processor's last word: the charge stays as it is, and the answer is kept under the act's key. Where it was to expire
 * and the processor has lost it, it is looked up to the end instead of being expired for ever.
 */
const giveUp = async (
  deps: Deps,
  charge: Acting,
  by: SettledBy,
  { code, isLost }: { code: string; isLost: boolean },
): Promise<ChargeAnswer> => {
  const { pendingAct: act, id: chargeId, merchantId } = charge;
  const answer = refusedAct(deps, { ...charge, pendingAct: null }, code);
  const at = await deps.businessClock.now();
  const isOurs = await deps.db.sqlTransaction(async (sql) => {
    const now = deps.clock.now();
    const isReopened = isLost && act.kind === "expire" && charge.state === "requires_action";
    const isReleased = isReopened
      ? await reopenCharge(sql, { chargeId, key: act.key, nextLookupAt: addSeconds(now, lookupDelaySeconds(0)) })
      : await releaseAct(sql, { chargeId, key: act.key, ...afterAct(charge, { at, now }), unlessTakenSince: null });
    if (!isReleased) return false;
    const { status, body } = answer;
    const route = actRoute(chargeId, act.kind);
    await keepFinalAnswers(sql, { merchantId, chargeId, answers: [{ route, status, body }], at });
    await appendAudit(sql, {
      at,
      actor: actorOf(charge, by),
      action: `charge.${act.kind}_refused`,
      subjectId: chargeId,
      requestId: by.requestId,
      data: { mandate_id: charge.mandateId, amount: act.amount, code },
    });
    return true;
  });
  return isOurs ? answer : answerForAct(deps, (await findCharge(deps.db.sql, chargeId)) ?? charge, act.kind);
};

/** @returns false where another process took the act over, and may have sent it. */
const free = (deps: Deps, charge: Acting): Promise<boolean> =>
  deps.db.sqlTransaction(async (sql) => {
    const { id: chargeId, merchantId, pendingAct: act } = charge;
    const later = afterAct(charge, { at: await deps.businessClock.now(), now: deps.clock.now() });
    if (!(await releaseAct(sql, { chargeId, key: act.key, ...later, unlessTakenSince: charge }))) return false;
    await freeIdempotencyKey(sql, { merchantId, chargeId, route: actRoute(chargeId, act.kind) });
    return true;
  });

/**
 * What waited too long, for its capture or for its payer: voided at the processor, then expired here. Each try is asked
 * under a key of its own, since a processor repeats its refusals too.
 */
export const expireAtProcessor = async (deps: Deps, charge: ChargeRow, by: SettledBy): Promise<ChargeRow> => {
  const at = await deps.businessClock.now();
  const now = deps.clock.now();
  const key = actKey(charge.id, "expire", now.toISOString());
  const act: PendingAct = { kind: "expire", amount: Number(charge.amount), key };
  const claimed = await claimExpiryAct(deps.db.sql, { charge, act, at, ...actTimes(now) });
  if (claimed) await performAct(deps, { ...claimed, pendingAct: act }, by, false);
  return (await findCharge(deps.db.sql, charge.id)) ?? charge;
};
