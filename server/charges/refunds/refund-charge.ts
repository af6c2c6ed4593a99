import canonicalize from "canonicalize";
import { appendAudit } from "../../data/audit/audit.ts";
import { type ChargeRow, findCharge } from "../../data/charges/charges.ts";
import { findIdempotencyKey, type IdempotencyKey, refundRoute } from "../../data/charges/idempotency.ts";
import { takeRefundLease } from "../../data/charges/refund-lookups.ts";
import { claimRefund, type RefundClaim, type RefundRow } from "../../data/charges/refunds.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Capabilities } from "../../deps/processor-port.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { dateId } from "../../kernel/time/dated.ts";
import { actTimes } from "../acts/perform-act.ts";
import type { RefundRequest } from "../charge/charge.wire.ts";
import { uncarriedAmountRefusal } from "../charge/refuse-charge.ts";
import { refuseInactive } from "../charge/refuse-inactive.ts";
import { differentBodyRefusal, inProgressRefusal } from "../charge/refuse-repeat.ts";
import { refuseUncertain } from "../charge/refuse-uncertain.ts";
import { type MerchantActor, memberData } from "../charge/settled-by.ts";
import { refuseUnsubmitted } from "../charge/submit-charge.ts";
import { type KeyedResult, storedResult } from "../idempotency/keyed-result.ts";
import { chargeNotFound } from "../lists/list-charges.ts";
import type { RefundStatus } from "../rules/refund.ts";
import { performRefund } from "./perform-refund.ts";
import type { RefundedBy } from "./settle-refund.ts";

type Input = {
  merchantId: string;
  actor: MerchantActor;
  requestId: string;
  chargeId: string;
  idempotencyKey: string;
  request: RefundRequest;
};

type Idempotency = { route: string; key: string; bodyHash: string };
type Call = Input & { idempotency: Idempotency };
export type RefundResult = KeyedResult<{ outcome: RefundStatus; refund: RefundRow }>;

class NotClaimed extends Error {
  readonly claim: Exclude<RefundClaim, "claimed">;
  constructor(claim: Exclude<RefundClaim, "claimed">) {
    super(claim);
    this.claim = claim;
  }
}

/** Maximum number of attempts: after a concurrent refund, the amount that is left is read again. */
const attempts = 5;

/**
 * Refunds captured money, in full or in parts. Pending and succeeded refunds together never exceed what was captured.
 * At most one refund is made per key. The refund is committed before it is sent. A repeat with the same key returns the
 * stored answer.
 * @throws DomainError 400, 404, 409, 422 or 503. If one of these errors is thrown, no money was moved, except after
 * `idempotency_key_in_use`: the refund may have been made, or may still be made.
 */
export const refundCharge = async (deps: Deps, input: Input): Promise<RefundResult> => {
  const { merchantId, chargeId } = input;
  const bodyHash = sha256Base64url(canonicalize(input.request) ?? "");
  const call: Call = { ...input, idempotency: { route: refundRoute(chargeId), key: input.idempotencyKey, bodyHash } };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const charge = await findCharge(deps.db.sql, chargeId);
    if (charge?.merchantId !== merchantId) throw chargeNotFound();
    const known = await findIdempotencyKey(deps.db.sql, { merchantId, ...call.idempotency });
    if (known) return repeat(deps, call, { charge, known });
    await refuseInactive(deps.db.sql, "refund", merchantId);
    const refund = newRefund(deps, call, { charge, at: await deps.businessClock.now() });
    const claim = await claimAndAudit(deps, call, refund);
    if (claim !== "claimed") continue;
    const performed = await performRefund(deps, { charge, refund }, { by: byOf(call), isFirst: true });
    return { ...toResult(performed), isRepeat: false };
  }
  throw exceedsCapturedRefusal();
};

const toResult = (refund: RefundRow) => ({ outcome: refund.status, refund });

const byOf = ({ actor, requestId }: Input): RefundedBy => ({ kind: "merchant", actor, requestId });

const newRefund = (deps: Deps, input: Call, { charge, at }: { charge: ChargeRow; at: BusinessTime }): RefundRow => {
  const capabilities = capabilitiesFor(deps, charge);
  if (!capabilities.refund) throw notRefundableRefusal("This processor doesn't support refunds.");
  if (charge.state === "disputed")
    throw notRefundableRefusal(
      "The charge is disputed, so it can't be refunded. The dispute decides who gets the money.",
    );
  const left = charge.amountCaptured - charge.amountRefunded - charge.amountRefunding;
  const amount = input.request.amount === undefined ? left : BigInt(input.request.amount);
  if (amount > left || left === 0n) throw exceedsCapturedRefusal();
  const uncarried = uncarriedAmountRefusal(capabilities, { amount, currency: charge.currency });
  if (uncarried) throw uncarried;
  return {
    id: dateId(newId("rfd"), at),
    chargeId: charge.id,
    merchantId: charge.merchantId,
    mandateId: charge.mandateId,
    merchantClientId: input.actor.id,
    amount,
    status: "pending",
    refundRef: null,
    failureCode: null,
    reason: input.request.reason ?? null,
    metadata: input.request.metadata ?? {},
    createdAt: at,
    ...actTimes(deps.clock.now()),
    lookups: 0,
  };
};

const capabilitiesFor = ({ processors }: Pick<Deps, "processors">, { processor }: ChargeRow): Capabilities => {
  try {
    return processors.get(processor).capabilities;
  } catch (error) {
    return refuseUnsubmitted(error);
  }
};

const claimAndAudit = (deps: Deps, call: Call, refund: RefundRow): Promise<RefundClaim> => {
  let isWritten = false;
  return deps.db
    .sqlTransaction(async (sql): Promise<RefundClaim> => {
      const claim = await claimRefund(sql, refund, call.idempotency);
      if (claim !== "claimed") throw new NotClaimed(claim);
      await appendAudit(sql, {
        at: refund.createdAt,
        actor: call.actor,
        action: "refund.created",
        subjectId: refund.id,
        requestId: call.requestId,
        data: {
          charge_id: refund.chargeId,
          mandate_id: refund.mandateId,
          amount: Number(refund.amount),
          ...memberData(refund.merchantId, call.actor),
          ...(refund.reason === null ? {} : { reason: refund.reason }),
        },
      });
      isWritten = true;
      return claim;
    })
    .catch((error: unknown) =>
      error instanceof NotClaimed ? error.claim : isWritten ? refuseUncertain(error) : refuseUnsubmitted(error),
    );
};

/**
 * A repeat with another body is refused. A stored answer is repeated. While another process performs the refund, the
 * answer is 409; otherwise this process continues the refund.
 */
const repeat = async (
  deps: Deps,
  call: Call,
  { charge, known }: { charge: ChargeRow; known: IdempotencyKey },
): Promise<RefundResult> => {
  if (known.bodyHash !== call.idempotency.bodyHash) throw differentBodyRefusal();
  const stored = storedResult(known);
  if (stored) return stored;
  const now = deps.clock.now();
  const id = known.refundId ?? "";
  const refund = await takeRefundLease(deps.db.sql, { id, now, ...actTimes(now) });
  if (!refund) throw inProgressRefusal();
  const performed = await performRefund(deps, { charge, refund }, { by: byOf(call), isFirst: false });
  return { ...toResult(performed), isRepeat: true };
};

const notRefundableRefusal = (message: string): DomainError =>
  new DomainError("conflict", { code: "charge_not_refundable", message });

const exceedsCapturedRefusal = (): DomainError =>
  new DomainError("unprocessable", {
    code: "exceeds_captured",
    message: "Refunds can't exceed the captured amount.",
    errors: [{ pointer: "/amount", detail: "exceeds the amount that is left to refund" }],
  });
