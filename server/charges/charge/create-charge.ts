import canonicalize from "canonicalize";
import type { NamedMandate } from "../../contract/callers.ts";
import { type ChargeRow, findCharge, takeChargeLease } from "../../data/charges/charges.ts";
import { chargeRoute, findIdempotencyKey, type IdempotencyKey } from "../../data/charges/idempotency.ts";
import { isUnavailable } from "../../data/unavailable.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Capabilities } from "../../deps/processor-port.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { type DomainError, fieldRefusal, isDomainError } from "../../kernel/errors.ts";
import { addSeconds, type BusinessTime } from "../../kernel/time/clock.ts";
import type { RunningPeriod } from "../../mandates/use/decide-use.ts";
import { type LimitMarks, marksBeyond } from "../../mandates/use/limit-marks.ts";
import { type KeyedResult, storedResult } from "../idempotency/keyed-result.ts";
import {
  findPermission,
  type Permission,
  permissionNotFound,
  revealLimits,
  type UseReason,
} from "../permission/find-permission.ts";
import { decidePermittedUse, takeUse } from "../permission/use-permission.ts";
import { lookUpCharge } from "../reconcile/reconcile-charge.ts";
import { isFinalAnswer } from "../rules/charge-states.ts";
import { type ChargeResult, chargeResult } from "../rules/results.ts";
import { leaseSeconds } from "../rules/schedule.ts";
import type { ChargeRequest } from "./charge.wire.ts";
import { mandateRefusal, recordChargeRefusal, uncarriedAmountRefusal } from "./refuse-charge.ts";
import { inactivityRefusal } from "./refuse-inactive.ts";
import { differentBodyRefusal, inProgressRefusal } from "./refuse-repeat.ts";
import { type Idempotency, newCharge, reserveCharge } from "./reserve-charge.ts";
import type { Settlement } from "./settle-charge.ts";
import { notSubmittedRefusal, orUnknown, settleOrLeave, submitCharge, toNotSubmittedRefusal } from "./submit-charge.ts";

const chargePath = "/merchant_test/charge";

type Result = KeyedResult<ChargeResult<ChargeRow>>;

type Input = {
  merchantId: string;
  clientId: string;
  requestId: string;
  idempotencyKey: string;
  request: ChargeRequest;
  /** the mandate as it was read together with the request's token; used for the first decision */
  named?: NamedMandate | null;
  /** called before a refusal that reveals a mandate's limits; may throw */
  admitBudgetAnswer?: (about: { merchantId: string; mandateId: string }) => void;
};

type Call = Input & { bodyHash: string; findKey: () => Promise<IdempotencyKey | null> };

/**
 * Maximum number of times that a charge is decided. It is decided again if a concurrent charge took the rest of a
 * budget, or if its idempotency key became free.
 */
const attempts = 5;

/**
 * Makes at most one charge per (merchant, key). The amount fits into every limit at the instant of the reservation.
 * @throws DomainError 400, 403, 404, 409, 422, 429 or 503 of docs/spec/payments.md, Charge responses. If one of
 * these errors is thrown, no charge was made, except after `idempotency_key_in_use`: a charge may have been made.
 */
export const createCharge = async (deps: Deps, input: Input): Promise<Result> => {
  const bodyHash = sha256Base64url(canonicalize(input.request) ?? "");
  const idempotency: Idempotency = { route: chargeRoute, key: input.idempotencyKey, bodyHash };
  const findKey = () => findIdempotencyKey(deps.db.sql, { merchantId: input.merchantId, ...idempotency });
  const call: Call = { ...input, bodyHash, findKey };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const named = attempt === 0 ? (input.named ?? null) : null;
    const verdict = await judge(deps, call, named).catch((error): Verdict => ({ error: toNotSubmittedRefusal(error) }));
    if ("error" in verdict) {
      // A stored answer under this key is returned even if the permission has ended.
      const known = await findKey();
      if (known) {
        const repeat = await repeatCharge(deps, call, known);
        if (repeat) return repeat;
        continue;
      }
      if (verdict.record) await verdict.record();
      throw verdict.error;
    }
    const { permission, marks, ...planned } = verdict;
    const { mandate, use } = permission;
    const reserving = reserveCharge(deps, {
      ...planned,
      idempotency,
      requestId: input.requestId,
      takeUse: use && ((sql, charge) => takeUse(sql, { mandate, use, charge })),
    });
    const reservation = await reserving.catch(toNotSubmittedRefusal);
    if (typeof reservation === "object" && "charge" in reservation) {
      return proceed(deps, call, { charge: reservation.charge, marks });
    }
    const known = await findKey();
    if (known) {
      const repeat = await repeatCharge(deps, call, known);
      if (repeat) return repeat;
      continue;
    }
    if (isDomainError(reservation)) throw reservation;
  }
  throw notSubmittedRefusal();
};

type Granted = Extract<Permission, { kind: "granted" }>;
type Verdict =
  | {
      mandateId: string;
      chargeAt: (at: BusinessTime) => ChargeRow;
      periods: readonly RunningPeriod[];
      needsApproval: boolean;
      /** the thresholds at which a limit counts as nearly used up; null if this charge may reach one of them */
      marks: LimitMarks | null;
      permission: Granted;
    }
  | { error: DomainError; record?: () => Promise<void> };

/** @param named the mandate, if it was already read; if null, it is read now. */
const judge = async (deps: Deps, input: Call, named: NamedMandate | null): Promise<Verdict> => {
  const at = named?.at ?? (await deps.businessClock.now());
  const { request, merchantId, clientId, requestId } = input;
  const payment = {
    amountMinor: BigInt(request.amount),
    currency: request.currency,
    transactionId: request.transaction_id ?? null,
  };
  const presented = { credentials: request, merchantId, path: chargePath, nonce: null, payment, at, named };
  const permission = await findPermission(deps, presented);
  if (!permission) return { error: permissionNotFound() };
  const refusedVerdict = (reasons: readonly UseReason[], mandateId: string | null): Verdict => ({
    error: mandateRefusal(reasons),
    async record() {
      if (mandateId !== null && revealLimits(reasons)) input.admitBudgetAnswer?.({ merchantId, mandateId });
      await recordChargeRefusal(deps, { mandateId, merchantId, clientId, requestId, at, payment, reasons });
    },
  });
  if (permission.kind === "refused") return refusedVerdict(permission.reasons, permission.mandateId);
  const { mandate } = permission;
  const inactive = inactivityRefusal("charge", mandate.merchant);
  if (inactive) return { error: inactive };
  const unsupported = findProcessorRefusal(deps, request, mandate.merchant.processor);
  if (unsupported) return { error: unsupported };
  const intent = { action: "charge", ...payment, payerPresence: request.payer_presence } as const;
  const decided = await decidePermittedUse(deps.db.sql, permission, { intent, at });
  const { reasons, periods, stepUpRequired } = decided;
  const { paymentMethodRef } = mandate;
  if (reasons.length > 0 || paymentMethodRef === null) return refusedVerdict(reasons, mandate.mandateId);
  const planned = { mandate, request, clientId, periods, stepUpRequired, paymentMethodRef };
  const chargeAt = (reservedAt: BusinessTime) => newCharge(deps, { ...planned, at: reservedAt });
  const marks = marksBeyond(mandate, periods, payment.amountMinor);
  return { mandateId: mandate.mandateId, chargeAt, periods, needsApproval: stepUpRequired, marks, permission };
};

/**
 * @returns an error that names the unsupported part of the request: the processor doesn't support it, or can't simulate
 *   it in the sandbox (docs/spec/payments.md, Processors). Null if the processor supports the whole request.
 */
const findProcessorRefusal = (
  { config, processors }: Deps,
  request: ChargeRequest,
  name: string,
): DomainError | null => {
  const processor = processors.get(name);
  const { simulate } = request.metadata ?? {};
  const problem =
    config.environment === "sandbox" && simulate !== undefined ? processor.simulateProblem?.(simulate) : null;
  if (problem) return fieldRefusal("/metadata/simulate", problem);
  return findCapabilityRefusal(request, processor.capabilities);
};

const findCapabilityRefusal = (request: ChargeRequest, capabilities: Capabilities): DomainError | null => {
  if (request.capture_method === "manual" && !capabilities.separateCapture) {
    return fieldRefusal("/capture_method", "manual is not supported by this processor");
  }
  if (capabilities.currencies && !capabilities.currencies.includes(request.currency)) {
    return fieldRefusal("/currency", "is not supported by this processor");
  }
  return uncarriedAmountRefusal(capabilities, { amount: BigInt(request.amount), currency: request.currency });
};

type Reserved = { charge: ChargeRow; marks: LimitMarks | null };

const proceed = async (deps: Deps, call: Call, { charge, marks }: Reserved): Promise<Result> => {
  if (charge.state === "requires_action") return firstTime(charge);
  const settlement = await submitCharge(deps, charge, { requestId: call.requestId, marks });
  if (settlement) return firstAnswer(call, charge, settlement);
  // The charge was voided after its reservation and before its submission. The mandate is checked again to find the
  // reason. If the mandate allows the charge, the reservation was too old.
  const verdict = await judge(deps, call, null);
  throw "error" in verdict ? verdict.error : notSubmittedRefusal();
};

/**
 * If an event of the processor settled the charge before the response to the call, the charge may have changed again
 * since its final answer was stored. So the stored answer is returned. If it can't be read now, the result is "unknown"
 * and never "not submitted", because the charge was sent.
 */
const firstAnswer = async (call: Call, sent: ChargeRow, { charge, isOurs }: Settlement): Promise<Result> => {
  if (isOurs || !isFinalAnswer(charge.state)) return firstTime(charge);
  try {
    const known = await call.findKey();
    const stored = known?.chargeId === charge.id ? storedResult(known) : null;
    return stored ? { ...stored, isRepeat: false } : firstTime(charge);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return firstTime({ ...sent, state: "unknown" });
  }
};

const firstTime = (charge: ChargeRow) => ({ ...chargeResult(charge), isRepeat: false });
const repeated = (charge: ChargeRow) => ({ ...chargeResult(charge), isRepeat: true });

/**
 * A repeat with the same key. Another body is refused, a final answer is repeated byte for byte, and for an open charge
 * the current state is returned.
 * @returns null if the key became free because its charge was never sent. In this case, no answer was given under the
 *   key.
 */
const repeatCharge = async (deps: Deps, call: Call, known: IdempotencyKey): Promise<Result | null> => {
  if (known.bodyHash !== call.bodyHash) throw differentBodyRefusal();
  const stored = storedResult(known);
  if (stored) return stored;
  const charge = await findCharge(deps.db.sql, known.chargeId);
  if (!charge) throw inProgressRefusal();
  const present =
    charge.state === "reserved" || charge.state === "submitted" ? await attach(deps, call, charge) : charge;
  if (!isFinalAnswer(present.state)) return repeated(present);
  // The charge became final after the key was read. Return the stored answer, or null if the key became free.
  const final = await call.findKey();
  if (final?.chargeId !== known.chargeId) return null;
  return storedResult(final) ?? repeated(present);
};

/**
 * If a live process has the charge's lease, the response is 409. After a crash, exactly one retry continues where that
 * process stopped.
 */
const attach = async (deps: Deps, call: Call, charge: ChargeRow): Promise<ChargeRow> => {
  const now = deps.clock.now();
  const taken = await takeChargeLease(deps.db.sql, { id: charge.id, now, leaseUntil: addSeconds(now, leaseSeconds) });
  if (!taken) throw inProgressRefusal();
  if (taken.state === "reserved") {
    const submitted = await submitCharge(deps, taken, { requestId: call.requestId });
    if (!submitted) throw inProgressRefusal();
    return submitted.charge;
  }
  const looked = await orUnknown(deps, taken, lookUpCharge(deps, taken, call.requestId));
  if (looked.state !== "submitted") return looked;
  const by = { kind: "charge", requestId: call.requestId } as const;
  return settleOrLeave(deps, looked, { event: { kind: "unknown" }, by });
};
