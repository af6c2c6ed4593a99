import canonicalize from "canonicalize";
import type { NamedMandate } from "../../contract/callers.ts";
import { type ChargeRow, findCharge, takeChargeLease } from "../../data/charges/charges.ts";
import { chargeRoute, findIdempotencyKey, type IdempotencyKey } from "../../data/charges/idempotency.ts";
import { isUnavailable } from "../../data/unavailable.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Capabilities } from "../../deps/processor-port.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { type DomainError, isDomainError } from "../../kernel/errors.ts";
import { addSeconds, type BusinessTime } from "../../kernel/time/clock.ts";
import type { RunningPeriod } from "../../mandates/use/decide-use.ts";
import {
  findPermission,
  type Permission,
  permissionNotFound,
  tellLimits,
  type UseReason,
} from "../permission/find-permission.ts";
import { decidePermittedUse, takeUse } from "../permission/use-permission.ts";
import { lookUpCharge } from "../reconcile/reconcile-charge.ts";
import { isFinalAnswer, leaseSeconds } from "../rules/settlement.ts";
import type { ChargeRequest } from "./charge.wire.ts";
import { answerForCharge, type ChargeAnswer, replayAnswer } from "./charge-answer.ts";
import { recordRefusal, refusedByMandate, refuseUncarriedAmount, unsupportedField } from "./refuse-charge.ts";
import { inProgress, otherBody } from "./refuse-repeat.ts";
import { suspensionRefusal } from "./refuse-suspended.ts";
import { type Idempotency, newCharge, reserveCharge } from "./reserve-charge.ts";
import type { Settlement } from "./settle-charge.ts";
import { nothingSubmitted, orUnknown, settleOrLeave, submitCharge, toUnsubmitted } from "./submit-charge.ts";

const chargePath = "/merchant_test/charge";

type Input = {
  merchantId: string;
  clientId: string;
  requestId: string;
  idempotencyKey: string;
  request: ChargeRequest;
  /** its mandate as it was found with the token of the request, for the first look at it */
  named?: NamedMandate | null;
  /** before a refusal that tells something of a mandate's limits; may throw */
  admitBudgetAnswer?: (about: { merchantId: string; mandateId: string }) => void;
};

/** How often a charge that lost a race for the last of a budget looks again before it gives up. */
const attempts = 5;

/**
 * At most one charge per (merchant, key); its amount fits into every cap at the instant that it is reserved.
 * @throws DomainError 400, 403, 404, 409, 422 or 503 of docs/spec/payments.md, Charge responses: none of these made or
 * kept a charge.
 */
export const createCharge = async (deps: Deps, input: Input): Promise<ChargeAnswer> => {
  const bodyHash = sha256Base64url(canonicalize(input.request) ?? "");
  const idempotency: Idempotency = { route: chargeRoute, key: input.idempotencyKey, bodyHash };
  const findKey = () => findIdempotencyKey(deps.db.sql, { merchantId: input.merchantId, ...idempotency });
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const named = attempt === 0 ? (input.named ?? null) : null;
    const verdict = await judge(deps, input, named).catch((error): Verdict => ({ error: toUnsubmitted(error) }));
    if ("error" in verdict) {
      // What was answered under this key before outlives the permission.
      const known = await findKey();
      if (known) {
        const repeated = await repeat(deps, input, known, { bodyHash, findKey });
        if (repeated) return repeated;
        continue;
      }
      if (verdict.record) await verdict.record();
      throw verdict.error;
    }
    const { permission, ...planned } = verdict;
    const { mandate, use } = permission;
    const reserving = reserveCharge(deps, {
      ...planned,
      idempotency,
      requestId: input.requestId,
      takeUse: use && ((sql, charge) => takeUse(sql, { mandate, use, charge })),
    });
    const reservation = await reserving.catch(toUnsubmitted);
    if (typeof reservation === "object" && "charge" in reservation) {
      return proceed(deps, input, reservation.charge, findKey);
    }
    const known = await findKey();
    if (known) {
      const repeated = await repeat(deps, input, known, { bodyHash, findKey });
      if (repeated) return repeated;
      continue;
    }
    if (isDomainError(reservation)) throw reservation;
  }
  throw nothingSubmitted();
};

type Granted = Extract<Permission, { kind: "granted" }>;
type Verdict =
  | {
      mandateId: string;
      chargeAt: (at: BusinessTime) => ChargeRow;
      periods: readonly RunningPeriod[];
      permission: Granted;
    }
  | { error: DomainError; record?: () => Promise<void> };

/** @param named as it was found already; null: it is looked for now. */
const judge = async (deps: Deps, input: Input, named: NamedMandate | null): Promise<Verdict> => {
  const at = named?.at ?? (await deps.businessClock.now());
  const { request, merchantId, clientId, requestId } = input;
  const payment = {
    amountMinor: BigInt(request.amount),
    currency: request.currency,
    transactionId: request.transaction_id ?? null,
  };
  const asked = { credentials: request, merchantId, path: chargePath, nonce: null, payment, at, named };
  const permission = await findPermission(deps, asked);
  if (!permission) return { error: permissionNotFound() };
  const refuse = (reasons: readonly UseReason[], mandateId: string | null): Verdict => ({
    error: refusedByMandate(reasons),
    async record() {
      if (mandateId !== null && tellLimits(reasons)) input.admitBudgetAnswer?.({ merchantId, mandateId });
      await recordRefusal(deps, { mandateId, merchantId, clientId, requestId, at, reasons });
    },
  });
  if (permission.kind === "refused") return refuse(permission.reasons, permission.mandateId);
  const { mandate } = permission;
  const suspended = suspensionRefusal("charge", mandate.merchant);
  if (suspended) return { error: suspended };
  const unsupported = checkProcessor(deps, request, mandate.merchant.processor);
  if (unsupported) return { error: unsupported };
  const intent = { action: "charge", ...payment, payerPresence: request.payer_presence } as const;
  const decided = await decidePermittedUse(deps.db.sql, permission, intent, at);
  const { reasons, periods, stepUpRequired } = decided;
  const { paymentMethodRef } = mandate;
  if (reasons.length > 0 || paymentMethodRef === null) return refuse(reasons, mandate.mandateId);
  const planned = { mandate, request, clientId, periods, stepUpRequired, paymentMethodRef };
  const chargeAt = (reservedAt: BusinessTime) => newCharge(deps, { ...planned, at: reservedAt });
  return { mandateId: mandate.mandateId, chargeAt, periods, permission };
};

/**
 * @returns what the processor can't carry, or in the sandbox can't simulate (docs/spec/payments.md, Processors); null
 * where it takes all of it.
 */
const checkProcessor = ({ config, processors }: Deps, request: ChargeRequest, name: string): DomainError | null => {
  const processor = processors.get(name);
  const { simulate } = request.metadata ?? {};
  const problem =
    config.environment === "sandbox" && simulate !== undefined ? processor.simulateProblem?.(simulate) : null;
  if (problem) return unsupportedField("/metadata/simulate", problem);
  return checkCapabilities(request, processor.capabilities);
};

const checkCapabilities = (request: ChargeRequest, capabilities: Capabilities): DomainError | null => {
  if (request.capture_method === "manual" && !capabilities.separateCapture) {
    return unsupportedField("/capture_method", "manual is not supported by this processor");
  }
  if (capabilities.currencies && !capabilities.currencies.includes(request.currency)) {
    return unsupportedField("/currency", "is not supported by this processor");
  }
  return refuseUncarriedAmount(capabilities, { amount: BigInt(request.amount), currency: request.currency });
};

const proceed = async (
  deps: Deps,
  input: Input,
  charge: ChargeRow,
  findKey: Asked["findKey"],
): Promise<ChargeAnswer> => {
  if (charge.state === "requires_action") return answerForCharge(deps, charge);
  const settlement = await submitCharge(deps, charge, input.requestId);
  if (settlement) return firstAnswer(deps, charge, settlement, findKey);
  // Voided between reservation and submission: the mandate says why, or the reservation had become stale.
  const verdict = await judge(deps, input, null);
  throw "error" in verdict ? verdict.error : nothingSubmitted();
};

/**
 * Where an event of the processor overtook its answer, the charge may have gone on already from what was kept with that. It
 * was sent: where that can't be read now, it is told as unknown, and never as not submitted.
 */
const firstAnswer = async (
  deps: Deps,
  sent: ChargeRow,
  { charge, isOurs }: Settlement,
  findKey: Asked["findKey"],
): Promise<ChargeAnswer> => {
  if (isOurs || !isFinalAnswer(charge.state)) return answerForCharge(deps, charge);
  try {
    const known = await findKey();
    const kept = known?.chargeId === charge.id ? keptAnswer(deps, known) : null;
    return kept ? { ...kept, isReplay: false } : answerForCharge(deps, charge);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return answerForCharge(deps, { ...sent, state: "unknown" });
  }
};

type Asked = { bodyHash: string; findKey: () => Promise<IdempotencyKey | null> };

/**
 * The same key again: other body 422; final, the first final answer byte for byte; else the present state.
 * @returns null where the key became free meanwhile, as its charge was never sent: then nothing was answered under it.
 */
const repeat = async (deps: Deps, input: Input, known: IdempotencyKey, asked: Asked): Promise<ChargeAnswer | null> => {
  if (known.bodyHash !== asked.bodyHash) throw otherBody();
  const kept = keptAnswer(deps, known);
  if (kept) return kept;
  const charge = await findCharge(deps.db.sql, known.chargeId);
  if (!charge) throw inProgress();
  const present =
    charge.state === "reserved" || charge.state === "submitted" ? await attach(deps, input, charge) : charge;
  if (!isFinalAnswer(present.state)) return { ...answerForCharge(deps, present), isReplay: true };
  // It became final since the key was read: what counts is what was kept with that, or that the key was freed.
  const final = await asked.findKey();
  if (final?.chargeId !== known.chargeId) return null;
  return keptAnswer(deps, final) ?? { ...answerForCharge(deps, present), isReplay: true };
};

const keptAnswer = (
  deps: Deps,
  { chargeId, responseStatus: status, responseBody: body }: IdempotencyKey,
): ChargeAnswer | null => (status === null || body === null ? null : replayAnswer(deps, { chargeId, status, body }));

/** A live process holds the charge's lease: 409. After a crash, exactly one retry goes on where that one stopped. */
const attach = async (deps: Deps, input: Input, charge: ChargeRow): Promise<ChargeRow> => {
  const now = deps.clock.now();
  const taken = await takeChargeLease(deps.db.sql, { id: charge.id, now, leaseUntil: addSeconds(now, leaseSeconds) });
  if (!taken) throw inProgress();
  if (taken.state === "reserved") {
    const submitted = await submitCharge(deps, taken, input.requestId);
    if (!submitted) throw inProgress();
    return submitted.charge;
  }
  const looked = await orUnknown(deps, taken, lookUpCharge(deps, taken, input.requestId));
  if (looked.state !== "submitted") return looked;
  return settleOrLeave(deps, looked, { kind: "unknown" }, { kind: "charge", requestId: input.requestId });
};
