import canonicalize from "canonicalize";
import { type ChargeRow, findCharge, takeChargeLease } from "../data/charges.ts";
import { chargeRoute, findIdempotencyKey, type IdempotencyKey } from "../data/idempotency.ts";
import type { Decision } from "../data/mandate-decision.ts";
import type { Deps } from "../deps.ts";
import { addSeconds } from "../kernel/clock.ts";
import { DomainError } from "../kernel/errors.ts";
import { sha256Base64url } from "../kernel/hash.ts";
import { decideUse } from "../mandates/decide-use.ts";
import type { Capabilities } from "../processors/port.ts";
import type { ChargeRequest } from "./charge.wire.ts";
import { answerForCharge, type ChargeAnswer, replayAnswer } from "./charge-answer.ts";
import {
  findPermission,
  permissionNotFound,
  readCredential,
  recordRefusal,
  refusedByMandate,
  unsupportedField,
} from "./find-permission.ts";
import { lookUpCharge } from "./reconcile-charge.ts";
import { type Idempotency, newCharge, reserveCharge } from "./reserve-charge.ts";
import { leaseSeconds } from "./rules/settlement.ts";
import { settleCharge } from "./settle-charge.ts";
import { nothingSubmitted, refuseUnsubmitted, submitCharge } from "./submit-charge.ts";

type Input = {
  merchantId: string;
  clientId: string;
  requestId: string;
  idempotencyKey: string;
  request: ChargeRequest;
};

/** How often a charge that lost a race for the last of a budget looks again before it gives up. */
const attempts = 5;

/**
 * At most one charge per (merchant, key); its amount fits into every cap at the instant that it is reserved.
 * @throws DomainError 400, 403, 404, 409, 422 or 503 of 2-payments' table: none of these made or kept a charge.
 */
export const createCharge = async (deps: Deps, input: Input): Promise<ChargeAnswer> => {
  const mandateId = readCredential(input.request);
  const bodyHash = sha256Base64url(canonicalize(input.request) ?? "");
  const idempotency: Idempotency = { route: chargeRoute, key: input.idempotencyKey, bodyHash };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const at = deps.clock.now();
    const mandate = await findPermission(deps, { mandateId, merchantId: input.merchantId, at }).catch(
      refuseUnsubmitted,
    );
    const verdict = await judge(deps, input, mandate, at);
    if ("error" in verdict) {
      // What was answered under this key before outlives the permission.
      const known = await findIdempotencyKey(deps.db.sql, { merchantId: input.merchantId, ...idempotency });
      if (known) return repeat(deps, input, known, bodyHash);
      if (verdict.record) await verdict.record();
      throw verdict.error;
    }
    const { charge, periods } = verdict;
    const reservation = await reserveCharge(deps, charge, idempotency, periods, input.requestId).catch(
      refuseUnsubmitted,
    );
    if (reservation === "reserved") return proceed(deps, input, charge);
    const known = await findIdempotencyKey(deps.db.sql, { merchantId: input.merchantId, ...idempotency });
    if (known) return repeat(deps, input, known, bodyHash);
  }
  throw nothingSubmitted();
};

type Verdict =
  | { charge: ChargeRow; periods: ReturnType<typeof decideUse>["periods"] }
  | { error: DomainError; record?: () => Promise<void> };

const judge = async (deps: Deps, input: Input, mandate: Decision | null, at: Date): Promise<Verdict> => {
  if (!mandate) return { error: permissionNotFound() };
  const { request } = input;
  const unsupported = checkCapabilities(request, deps.processors.get(mandate.merchant.processor).capabilities);
  if (unsupported) return { error: unsupported };
  const intent = {
    action: "charge",
    amountMinor: BigInt(request.amount),
    currency: request.currency,
    payerPresence: request.payer_presence,
  } as const;
  const { reasons, periods, stepUpRequired } = decideUse(mandate, intent, at);
  if (reasons.length > 0 || mandate.paymentMethodRef === null) {
    const { merchantId, clientId, requestId } = input;
    const record = () =>
      recordRefusal(deps, { mandateId: mandate.mandateId, merchantId, clientId, requestId, at, reasons });
    return { error: refusedByMandate(reasons), record };
  }
  const { paymentMethodRef } = mandate;
  const charge = newCharge(deps, {
    mandate,
    request,
    clientId: input.clientId,
    periods,
    stepUpRequired,
    paymentMethodRef,
    at,
  });
  return { charge, periods };
};

const checkCapabilities = (request: ChargeRequest, capabilities: Capabilities): DomainError | null => {
  if (request.capture_method === "manual" && !capabilities.separateCapture) {
    return unsupportedField("/capture_method", "manual is not carried by this processor");
  }
  if (capabilities.currencies && !capabilities.currencies.includes(request.currency)) {
    return unsupportedField("/currency", "is not carried by this processor");
  }
  return null;
};

const proceed = async (deps: Deps, input: Input, charge: ChargeRow): Promise<ChargeAnswer> => {
  if (charge.state === "requires_action") return answerForCharge(deps, charge);
  const settled = await submitCharge(deps, charge, input.requestId);
  if (settled) return answerForCharge(deps, settled);
  // Voided between reservation and submission: the mandate says why, or the reservation had become stale.
  const at = deps.clock.now();
  const verdict = await judge(deps, input, await findPermission(deps, { ...charge, at }), at);
  throw "error" in verdict ? verdict.error : nothingSubmitted();
};

/** The same key again: other body 422; final, the first final answer byte for byte; else the present state. */
const repeat = async (deps: Deps, input: Input, known: IdempotencyKey, bodyHash: string): Promise<ChargeAnswer> => {
  if (known.bodyHash !== bodyHash) throw otherBody();
  if (known.responseStatus !== null && known.responseBody !== null) {
    return replayAnswer(deps, { chargeId: known.chargeId, status: known.responseStatus, body: known.responseBody });
  }
  const charge = await findCharge(deps.db.sql, known.chargeId);
  if (!charge) throw inProgress();
  const present =
    charge.state === "reserved" || charge.state === "submitted" ? await attach(deps, input, charge) : charge;
  return { ...answerForCharge(deps, present), isReplay: true };
};

/** A live process holds the charge's lease: 409. After a crash, exactly one retry goes on where that one stopped. */
const attach = async (deps: Deps, input: Input, charge: ChargeRow): Promise<ChargeRow> => {
  const now = deps.clock.now();
  const taken = await takeChargeLease(deps.db.sql, { id: charge.id, now, leaseUntil: addSeconds(now, leaseSeconds) });
  if (!taken) throw inProgress();
  if (taken.state === "reserved") {
    const submitted = await submitCharge(deps, taken, input.requestId);
    if (!submitted) throw inProgress();
    return submitted;
  }
  const looked = await lookUpCharge(deps, taken, input.requestId);
  if (looked.state !== "submitted") return looked;
  return settleCharge(deps, looked, { kind: "unknown" }, { kind: "charge", requestId: input.requestId });
};

export const otherBody = (): DomainError =>
  new DomainError("unprocessable", "idempotency_key_reused", "This Idempotency-Key was used with another body.");

export const inProgress = (): DomainError =>
  new DomainError("conflict", "idempotency_key_in_use", "A request with this Idempotency-Key is being worked on.", {
    headers: { "retry-after": "1" },
  });
