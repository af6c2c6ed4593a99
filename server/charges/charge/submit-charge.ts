import { type ChargeRow, markSubmitted } from "../../data/charges/charges.ts";
import { isUnavailable } from "../../data/unavailable.ts";
import type { Deps } from "../../deps/deps.ts";
import { type PaymentOutcome, type PaymentRequest, UnconfiguredProcessor } from "../../deps/processor-port.ts";
import { DomainError } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import type { LimitMarks } from "../../mandates/use/limit-marks.ts";
import { callSeconds, lookupDelaySeconds } from "../rules/schedule.ts";
import type { ChargeEvent } from "../rules/settlement.ts";
import { inProgressRefusal } from "./refuse-repeat.ts";
import { refuseUncertain } from "./refuse-uncertain.ts";
import { moveCharge, type Settlement, settleCharge } from "./settle-charge.ts";
import type { SettledBy } from "./settled-by.ts";

/** The processor's idempotency key of a charge. Even if the request is repeated, money moves at most once. */
export const processorKey = (chargeId: string): string => `paygrant:${chargeId}`;

/** The request for a charge. It is the same at any later time, so that it can be repeated under its key. */
export const paymentOf = (deps: Pick<Deps, "config">, charge: ChargeRow): PaymentRequest => ({
  key: processorKey(charge.id),
  chargeId: charge.id,
  account: charge.processorAccount,
  paymentMethodRef: charge.paymentMethodRef,
  amountMinor: charge.amount,
  currency: charge.currency,
  capture: charge.captureMethod === "manual" ? "manual" : "automatic",
  payerPresence: charge.payerPresence === "off_session" ? "off_session" : "in_session",
  simulate: deps.config.environment === "sandbox" ? (charge.metadata["simulate"] ?? null) : null,
});

/**
 * `submitted` is committed before the call is made, so a charge in `reserved` was never sent.
 * @returns the settled charge; null if nothing was sent and the charge is voided. This happens if a revocation or the
 *   reconciler voided it first, or if after its reservation the mandate was suspended or ended, the merchant may no
 *   longer charge, the payment method was removed, or the charge became too old.
 * @throws DomainError `unavailable` if the processor accepted no connection, so that nothing was submitted;
 *   `idempotency_key_in_use` if another process took over the charge, or if the database can't confirm whether the
 *   charge is `submitted`. After `idempotency_key_in_use`, the charge may still be sent.
 */
export const submitCharge = async (
  deps: Deps,
  reserved: ChargeRow,
  { requestId, marks = null }: { requestId: string; marks?: LimitMarks | null },
): Promise<Settlement | null> => {
  const at = deps.clock.now();
  const nextLookupAt = addSeconds(at, callSeconds + lookupDelaySeconds(0));
  const businessAt = await deps.businessClock.now().catch(refuseUncertain);
  const marked = { id: reserved.id, at, nextLookupAt, businessAt };
  if (!(await markSubmitted(deps.db.sql, marked).catch(refuseUncertain))) {
    const by = { kind: "charge", requestId } as const;
    const left = await settleCharge(deps, reserved, { event: { kind: "voided" }, by }).catch(refuseUncertain);
    if (left.state !== "voided") throw inProgressRefusal();
    return null;
  }
  const charge: ChargeRow = { ...reserved, state: "submitted", submittedAt: at, nextLookupAt };
  const outcome = await pay(deps, charge);
  const settlement = await moveCharge(deps, charge, { event: outcome, by: { kind: "charge", requestId }, marks }).catch(
    (error: unknown): Settlement => ({ charge: leftUnknown(deps, charge, error), isOurs: false }),
  );
  // The answer "not submitted" is given only after this result is recorded, because the reconciler may send the charge
  // until then.
  if (outcome.kind === "not_sent" && settlement.charge.decline?.code === "not_submitted") throw notSubmittedRefusal();
  return settlement;
};

/**
 * Sends the charge, unless this process was paused for longer than the longest call. The look-ups of other processes
 * rely on the rule that nothing is sent after that time.
 */
export const pay = async (deps: Deps, charge: ChargeRow): Promise<PaymentOutcome> => {
  const isLate = charge.submittedAt !== null && deps.clock.now() > addSeconds(charge.submittedAt, callSeconds);
  return isLate ? { kind: "unknown" } : deps.processors.get(charge.processor).pay(paymentOf(deps, charge));
};

/**
 * Waits for the settlement of a charge that was sent.
 * @returns the charge as `unknown` if the settlement can't be recorded now.
 */
export const orUnknown = (deps: Deps, charge: ChargeRow, settling: Promise<ChargeRow>): Promise<ChargeRow> =>
  settling.catch((error: unknown) => leftUnknown(deps, charge, error));

const leftUnknown = (deps: Deps, charge: ChargeRow, error: unknown): ChargeRow => {
  leaveToReconciler(deps, { chargeId: charge.id }, error);
  return { ...charge, state: "unknown" };
};

export const settleOrLeave = (
  deps: Deps,
  charge: ChargeRow,
  settling: { event: ChargeEvent; by: SettledBy },
): Promise<ChargeRow> => orUnknown(deps, charge, settleCharge(deps, charge, settling));

/**
 * Leaves a charge to the reconciler if it was sent but its result can't be recorded now. The reconciler asks the
 * processor again.
 * @throws the error if it isn't a database error.
 */
export const leaveToReconciler = (
  { log }: Pick<Deps, "log">,
  about: { chargeId: string } | { refundId: string },
  error: unknown,
): void => {
  if (!isUnavailable(error)) throw error;
  log.warn({ ...about, err: error }, "an outcome could not be written; the reconciler will write it");
};

/**
 * Converts an error that occurred before the call was made. If the database is unavailable, nothing was sent, whether
 * or not the statement took effect. A process without access to the processor can't send anything either.
 * @throws the error if it has another cause.
 */
export const toNotSubmittedRefusal = (error: unknown): DomainError => {
  if (isUnavailable(error) || error instanceof UnconfiguredProcessor) return notSubmittedRefusal(error);
  throw error;
};

export const refuseUnsubmitted = (error: unknown): never => {
  throw toNotSubmittedRefusal(error);
};

export const notSubmittedRefusal = (cause?: unknown): DomainError =>
  new DomainError("unavailable", {
    code: "processor_unavailable",
    message: "Nothing was submitted. It is safe to try again.",
    headers: { "retry-after": "5" },
    cause,
  });
