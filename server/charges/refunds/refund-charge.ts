import canonicalize from "canonicalize";
import { appendAudit } from "../../data/audit/audit.ts";
import { type ChargeRow, findCharge } from "../../data/charges/charges.ts";
import { findIdempotencyKey, type IdempotencyKey, refundRoute } from "../../data/charges/idempotency.ts";
import { claimRefund, type RefundClaim, type RefundRow, takeRefundLease } from "../../data/charges/refunds.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Capabilities } from "../../deps/processor-port.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { dateId } from "../../kernel/time/dated.ts";
import { actTimes } from "../acts/perform-act.ts";
import { type RefundRequest, toRefundObject } from "../charge/charge.wire.ts";
import { askerOf } from "../charge/charge-actor.ts";
import { refuseUncarriedAmount } from "../charge/refuse-charge.ts";
import { inProgress, otherBody } from "../charge/refuse-repeat.ts";
import { refuseSuspended } from "../charge/refuse-suspended.ts";
import { refuseUncertain } from "../charge/refuse-uncertain.ts";
import { refuseUnsubmitted } from "../charge/submit-charge.ts";
import { chargeNotFound } from "../lists/list-charges.ts";
import { performRefund } from "./perform-refund.ts";

type Input = {
  merchantId: string;
  /** or a member's account */
  clientId: string;
  requestId: string;
  chargeId: string;
  idempotencyKey: string;
  request: RefundRequest;
};

/** What goes out for a refund, as bytes: kept under the idempotency key and repeated as they are. */
export type RefundAnswer = { body: string; isReplay: boolean };

class NotClaimed extends Error {
  readonly claim: Exclude<RefundClaim, "claimed">;
  constructor(claim: Exclude<RefundClaim, "claimed">) {
    super(claim);
    this.claim = claim;
  }
}

/** How often a refund of all the rest that lost a race looks again at what the rest is. */
const attempts = 5;

/**
 * Gives back captured money, whole or in parts; pending and succeeded together never exceed what was captured.
 * At most one refund per key, committed before it is sent; the same key repeats its answer.
 * @throws DomainError 400, 404, 409, 422 or 503: none of these moved anything.
 */
export const refundCharge = async (deps: Deps, input: Input): Promise<RefundAnswer> => {
  const { merchantId, chargeId } = input;
  const bodyHash = sha256Base64url(canonicalize(input.request) ?? "");
  const idempotency = { route: refundRoute(chargeId), key: input.idempotencyKey, bodyHash };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const charge = await findCharge(deps.db.sql, chargeId);
    if (charge?.merchantId !== merchantId) throw chargeNotFound();
    const known = await findIdempotencyKey(deps.db.sql, { merchantId, ...idempotency });
    if (known) return repeat(deps, input, charge, known, bodyHash);
    await refuseSuspended(deps.db.sql, "refund", merchantId);
    const refund = newRefund(deps, input, charge, await deps.businessClock.now());
    const claim = await claimAndAudit(deps, input, refund, idempotency);
    if (claim === "claimed") {
      const by = { kind: "client", requestId: input.requestId } as const;
      return { body: toBody(await performRefund(deps, charge, refund, by, true)), isReplay: false };
    }
  }
  throw exceedsCaptured();
};

const toBody = (refund: RefundRow): string => JSON.stringify(toRefundObject(refund));

const newRefund = (deps: Deps, input: Input, charge: ChargeRow, at: BusinessTime): RefundRow => {
  const capabilities = capabilitiesFor(deps, charge);
  if (!capabilities.refund) throw notRefundable("This processor doesn't support refunds.");
  if (charge.state === "disputed") throw notRefundable("The charge is disputed. The dispute decides about its money.");
  const left = charge.amountCaptured - charge.amountRefunded - charge.amountRefunding;
  const amount = input.request.amount === undefined ? left : BigInt(input.request.amount);
  if (amount > left || left === 0n) throw exceedsCaptured();
  const uncarried = refuseUncarriedAmount(capabilities, { amount, currency: charge.currency });
  if (uncarried) throw uncarried;
  return {
    id: dateId(newId("rfd"), at),
    chargeId: charge.id,
    merchantId: charge.merchantId,
    mandateId: charge.mandateId,
    merchantClientId: input.clientId,
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

const claimAndAudit = (
  deps: Deps,
  input: Input,
  refund: RefundRow,
  idempotency: { route: string; key: string; bodyHash: string },
): Promise<RefundClaim> => {
  let isWritten = false;
  return deps.db
    .sqlTransaction(async (sql): Promise<RefundClaim> => {
      const claim = await claimRefund(sql, refund, idempotency);
      if (claim !== "claimed") throw new NotClaimed(claim);
      await appendAudit(sql, {
        at: refund.createdAt,
        actor: askerOf(input.clientId),
        action: "refund.created",
        subjectId: refund.id,
        requestId: input.requestId,
        data: {
          charge_id: refund.chargeId,
          mandate_id: refund.mandateId,
          amount: Number(refund.amount),
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

/** Other body 422; the final answer as it was; 409 while a live process has it; else it goes on, and tells how it is. */
const repeat = async (
  deps: Deps,
  input: Input,
  charge: ChargeRow,
  known: IdempotencyKey,
  bodyHash: string,
): Promise<RefundAnswer> => {
  if (known.bodyHash !== bodyHash) throw otherBody();
  if (known.responseBody !== null) return { body: known.responseBody, isReplay: true };
  const now = deps.clock.now();
  const id = known.refundId ?? "";
  const taken = await takeRefundLease(deps.db.sql, { id, now, ...actTimes(now) });
  if (!taken) throw inProgress();
  const by = { kind: "client", requestId: input.requestId } as const;
  return { body: toBody(await performRefund(deps, charge, taken, by, false)), isReplay: true };
};

const notRefundable = (message: string): DomainError => new DomainError("conflict", "charge_not_refundable", message);

const exceedsCaptured = (): DomainError =>
  new DomainError("unprocessable", "exceeds_captured", "Refunds can't exceed the captured amount.", {
    errors: [{ pointer: "/amount", detail: "exceeds the amount that is left to refund" }],
  });
