import { appendAudit } from "../data/audit.ts";
import { claimExpiryAct, postponeAct, releaseAct } from "../data/charge-acts.ts";
import { type ChargeRow, findCharge, type PendingAct } from "../data/charges.ts";
import { freeIdempotencyKey, keepFinalAnswer } from "../data/idempotency.ts";
import type { Deps } from "../deps.ts";
import { addSeconds, type BusinessTime } from "../kernel/clock.ts";
import type { CaptureOutcome, VoidOutcome } from "../processors/port.ts";
import { answerForAct, type ChargeAnswer, refusedAct } from "./charge-answer.ts";
import { callSeconds, leaseSeconds, lookupDelaySeconds } from "./rules/settlement.ts";
import { actorOf, type SettledBy, settleCharge } from "./settle-charge.ts";
import { lookupOf, nothingSubmitted, processorKey } from "./submit-charge.ts";

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
 * @throws DomainError unavailable where nothing was sent: the act is given up and its idempotency key free.
 */
export const performAct = async (
  deps: Deps,
  charge: Acting,
  by: SettledBy,
  isFirst: boolean,
): Promise<ChargeAnswer> => {
  const act = charge.pendingAct;
  const outcome = await callProcessor(deps, charge, act);
  switch (outcome.kind) {
    case "captured":
      return answerForAct(
        deps,
        await settleCharge(deps, charge, { kind: "captured", amountMinor: BigInt(act.amount) }, by),
      );
    case "voided": {
      const kind = act.kind === "expire" ? "expired" : "voided";
      return answerForAct(deps, await settleCharge(deps, charge, { kind }, by));
    }
    case "refused":
      return act.kind === "expire" ? refusedExpiry(deps, charge, by) : giveUp(deps, charge, by, outcome.code);
    case "not_sent":
      if (!isFirst) return postpone(deps, charge);
      await free(deps, charge);
      throw nothingSubmitted();
    case "unknown":
      return postpone(deps, charge);
  }
};

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
  return answerForAct(deps, charge);
};

/** What is over already and could not be expired is tried again a day later. */
const lapseOf = ({ expiresAt }: ChargeRow, at: BusinessTime): Date =>
  expiresAt && expiresAt > at ? expiresAt : addSeconds(at, 24 * 3600);

/** The processor's last word: the charge stays authorized, and the answer is kept under the act's key. */
const giveUp = async (deps: Deps, charge: Acting, by: SettledBy, code: string): Promise<ChargeAnswer> => {
  const { pendingAct: act, id: chargeId, merchantId } = charge;
  const answer = refusedAct(deps, { ...charge, pendingAct: null }, code);
  const at = await deps.businessClock.now();
  const isOurs = await deps.db.sqlTransaction(async (sql) => {
    if (!(await releaseAct(sql, { chargeId, key: act.key, expiresAt: lapseOf(charge, at) }))) return false;
    await keepFinalAnswer(sql, { merchantId, chargeId, status: answer.status, body: answer.body });
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
  return isOurs ? answer : answerForAct(deps, (await findCharge(deps.db.sql, chargeId)) ?? charge);
};

const free = (deps: Deps, charge: Acting): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    const { id: chargeId, merchantId, pendingAct: act } = charge;
    const expiresAt = lapseOf(charge, await deps.businessClock.now());
    if (await releaseAct(sql, { chargeId, key: act.key, expiresAt })) {
      await freeIdempotencyKey(sql, { merchantId, chargeId });
    }
  });

/** The processor has nothing to void: gone where it says so itself, else looked at again; the hold stands meanwhile. */
const refusedExpiry = async (deps: Deps, charge: Acting, by: SettledBy): Promise<ChargeAnswer> => {
  const found = await deps.processors.get(charge.processor).lookup(lookupOf(charge));
  if (found.kind === "declined") return answerForAct(deps, await settleCharge(deps, charge, { kind: "expired" }, by));
  return giveUp(deps, charge, by, "not_expired");
};

/** What is authorized and neither captured nor voided in its time: voided at the processor, then expired here. */
export const expireAuthorization = async (deps: Deps, charge: ChargeRow, by: SettledBy): Promise<ChargeRow> => {
  const at = await deps.businessClock.now();
  const act: PendingAct = { kind: "expire", amount: Number(charge.amount), key: actKey(charge.id, "expire", "clock") };
  const claimed = await claimExpiryAct(deps.db.sql, { chargeId: charge.id, act, at, ...actTimes(deps.clock.now()) });
  if (claimed) await performAct(deps, { ...claimed, pendingAct: act }, by, false);
  return (await findCharge(deps.db.sql, charge.id)) ?? charge;
};
