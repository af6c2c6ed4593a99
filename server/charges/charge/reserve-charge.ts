import { findWaitingCharges } from "../../data/charges/charge-approvals.ts";
import { insertReservation, type Reservation } from "../../data/charges/charge-reservation.ts";
import type { ChargeRow } from "../../data/charges/charges.ts";
import type { Sql } from "../../data/client.ts";
import type { Decision } from "../../data/mandates/mandate-decision.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds, type BusinessTime } from "../../kernel/time/clock.ts";
import { dateId } from "../../kernel/time/dated.ts";
import type { RunningPeriod } from "../../mandates/use/decide-use.ts";
import { approvalPage, askPayer } from "../approvals/ask-payer.ts";
import { approvalAction, maxWaitingPayments } from "../rules/approval.ts";
import { actionSeconds, leaseSeconds, staleReservationSeconds } from "../rules/schedule.ts";
import type { ChargeRequest } from "./charge.wire.ts";
import { tooManyWaitingRefusal } from "./refuse-charge.ts";
import { refuseUncertain } from "./refuse-uncertain.ts";

export type Idempotency = { route: string; key: string; bodyHash: string };

/** The row as it will be written. The idempotency key of the request to the processor is derived from the row's id. */
export const newCharge = (
  deps: Deps,
  input: {
    mandate: Decision;
    request: ChargeRequest;
    clientId: string;
    periods: readonly RunningPeriod[];
    stepUpRequired: boolean;
    paymentMethodRef: string;
    at: BusinessTime;
  },
): ChargeRow => {
  const { mandate, request, at } = input;
  const id = dateId(newId("chg"), at);
  const now = deps.clock.now();
  const expiresAt = input.stepUpRequired ? addSeconds(at, actionSeconds) : null;
  const approval = expiresAt && approvalActionOf(deps, id, expiresAt);
  return {
    id,
    merchantId: mandate.merchant.id,
    mandateId: mandate.mandateId,
    mandateVersion: mandate.version,
    merchantClientId: input.clientId,
    agentClientId: mandate.clientId,
    payerId: mandate.payerId,
    state: approval ? "requires_action" : "reserved",
    amount: BigInt(request.amount),
    currency: request.currency,
    amountCaptured: 0n,
    amountRefunded: 0n,
    amountRefunding: 0n,
    captureMethod: request.capture_method ?? "automatic",
    payerPresence: request.payer_presence,
    reference: request.reference ?? null,
    transactionId: request.transaction_id ?? null,
    metadata: request.metadata ?? {},
    periods: input.periods.map(({ limitKey, startsAt }) => ({
      limit_key: limitKey,
      starts_at: startsAt.toISOString(),
    })),
    processor: mandate.merchant.processor,
    processorAccount: mandate.merchant.processorAccount,
    paymentMethodRef: input.paymentMethodRef,
    processorRef: null,
    decline: null,
    nextAction: approval,
    pendingAct: null,
    createdAt: at,
    approvedAt: null,
    submittedAt: null,
    leaseUntil: approval ? null : addSeconds(now, leaseSeconds),
    nextLookupAt: approval ? null : addSeconds(now, staleReservationSeconds),
    expiresAt,
    lookups: 0,
    notFoundAt: null,
  };
};

/** The payer must approve a payment above `step_up_above` before the charge expires. */
const approvalActionOf = (deps: Deps, chargeId: string, expiresAt: Date) => ({
  type: approvalAction,
  url: approvalPage(deps.config, chargeId),
  expires_at: expiresAt.toISOString(),
});

/** The charge can't be reserved as it was decided. Rolls the transaction back. */
class NotReserved extends Error {}

/** Counts the waiting charges, including this one, under the mandate's lock. @throws DomainError too_many_waiting. */
const refuseTooMany = async (sql: Sql, { mandateId, merchantId }: ChargeRow, at: BusinessTime): Promise<void> => {
  const { count, firstExpiresAt } = await findWaitingCharges(sql, { mandateId, merchantId, at });
  if (count > maxWaitingPayments && firstExpiresAt)
    throw tooManyWaitingRefusal((firstExpiresAt.getTime() - at.getTime()) / 1000);
};

type Reserving = {
  mandateId: string;
  /** the row at the instant of its reservation */
  chargeAt: (at: BusinessTime) => ChargeRow;
  /** the periods in which the charge counts, according to the decision */
  periods: readonly RunningPeriod[];
  idempotency: Idempotency;
  requestId: string;
  /**
   * marks the presented credential as used, in the same transaction; null if no credential was presented. Returns false
   * if the credential is used up. `reserveCharge` then returns `does_not_fit`.
   */
  takeUse: ((sql: Sql, charge: ChargeRow) => Promise<boolean>) | null;
  /** whether the payer must approve the charge */
  needsApproval: boolean;
};

/**
 * Reserves a charge in one transaction: it inserts the unique key, requires `state = 'active'` on the mandate row and
 * updates every counter conditionally. A charge that needs no approval and presents no credential is reserved by a
 * single statement. The charge's time is read after the wait in the queue.
 * At most one caller per key gets the charge. If the result isn't a charge, nothing was written.
 * @returns `does_not_fit` if a limit is exceeded, the mandate isn't active, the presented credential is used up, or a
 * period has ended since the decision; the charge must then be decided again. `key_taken` if the key was used before.
 * @throws DomainError too_many_waiting; idempotency_key_in_use: the connection was lost while a charge that the payer
 *   can approve was being committed, so it may exist.
 */
export const reserveCharge = async (
  deps: Pick<Deps, "db" | "config" | "clock" | "businessClock">,
  { mandateId, chargeAt, periods, idempotency, requestId, takeUse, needsApproval }: Reserving,
): Promise<{ charge: ChargeRow } | Exclude<Reservation, "reserved">> => {
  let isWaitingWritten = false;
  try {
    const reserve = async (sql: Sql) => {
      isWaitingWritten = false;
      const at = await deps.businessClock.now();
      if (periods.some(({ endsAt }) => endsAt <= at)) throw new NotReserved();
      const charge = chargeAt(at);
      const reservation = await insertReservation(sql, charge, { idempotency, periods });
      // The reservation wrote nothing, so the transaction isn't rolled back.
      if (reservation === "key_taken") return reservation;
      if (reservation !== "reserved") throw new NotReserved();
      if (takeUse && !(await takeUse(sql, charge))) throw new NotReserved();
      if (charge.state === "requires_action") {
        await refuseTooMany(sql, charge, at);
        await askPayer(deps, sql, { charge, requestId });
        isWaitingWritten = true;
      }
      return { charge };
    };
    // The statements of takeUse depend on earlier reads, so the statements of other callers must not run between them.
    const interleaves = takeUse === null;
    const isOneStatement = takeUse === null && !needsApproval;
    return await deps.db.inSharedTurn(mandateId, reserve, { interleaves, alone: isOneStatement ? reserve : null });
  } catch (error) {
    if (error instanceof NotReserved) return "does_not_fit";
    // A reservation without an approval expires if it isn't submitted.
    if (isWaitingWritten) return refuseUncertain(error);
    throw error;
  }
};
