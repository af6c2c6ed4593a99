import canonicalize from "canonicalize";
import { type ActClaim, claimAct, takeActLease } from "../../data/charges/charge-acts.ts";
import { type ChargeRow, findCharge, type PendingAct } from "../../data/charges/charges.ts";
import { actRoute, findIdempotencyKey, type IdempotencyKey } from "../../data/charges/idempotency.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { isWaiting, voidWaitingCharge } from "../approvals/void-waiting-charge.ts";
import { type ChargeAnswer, replayAnswer } from "../charge/charge-answer.ts";
import { refuseUncarriedAmount, unsupportedField } from "../charge/refuse-charge.ts";
import { inProgress, otherBody } from "../charge/refuse-repeat.ts";
import { refuseSuspended } from "../charge/refuse-suspended.ts";
import { refuseUncertain } from "../charge/refuse-uncertain.ts";
import type { SettledBy } from "../charge/settle-charge.ts";
import { refuseUnsubmitted } from "../charge/submit-charge.ts";
import { chargeNotFound } from "../lists/list-charges.ts";
import { leaseSeconds } from "../rules/settlement.ts";
import { actKey, actTimes, performAct } from "./perform-act.ts";

type Input = {
  merchantId: string;
  /** or a member's account */
  clientId: string;
  requestId: string;
  chargeId: string;
  idempotencyKey: string;
};

/** Captures what is authorized: all of it, or a part, which releases the rest. Whatever became of the mandate. */
export const captureCharge = (
  deps: Deps,
  { request, ...input }: Input & { request: { amount?: number | undefined } },
): Promise<ChargeAnswer> =>
  actOnCharge(deps, input, "capture", request, (charge) => {
    const amount = request.amount === undefined ? charge.amount : BigInt(request.amount);
    if (amount > charge.amount) throw exceedsAuthorized();
    const { capabilities } = deps.processors.get(charge.processor);
    if (amount < charge.amount && !capabilities.partialCapture) {
      throw unsupportedField("/amount", "must be the full amount: this processor has no partial captures");
    }
    const uncarried = refuseUncarriedAmount(capabilities, { amount, currency: charge.currency });
    if (uncarried) throw uncarried;
    return amount;
  });

/** Gives up what is authorized or waits for the payer: nothing moves, and what was held is free again. */
export const voidCharge = (deps: Deps, input: Input): Promise<ChargeAnswer> =>
  actOnCharge(deps, input, "void", {}, (charge) => charge.amount);

class NotClaimed extends Error {
  readonly claim: Exclude<ActClaim, "claimed">;
  constructor(claim: Exclude<ActClaim, "claimed">) {
    super(claim);
    this.claim = claim;
  }
}

/**
 * At most one act per charge and per key. The act is committed before it is sent; the same key repeats its answer.
 * @throws DomainError 400, 404, 409, 422 or 503: none of these changed anything.
 */
const actOnCharge = async (
  deps: Deps,
  input: Input,
  kind: "capture" | "void",
  body: object,
  amountOf: (charge: ChargeRow) => bigint,
): Promise<ChargeAnswer> => {
  const { merchantId, chargeId } = input;
  const bodyHash = sha256Base64url(canonicalize(body) ?? "");
  const idempotency = { route: actRoute(chargeId, kind), key: input.idempotencyKey, bodyHash };
  const findKey = () => findIdempotencyKey(deps.db.sql, { merchantId, ...idempotency });
  const key = actKey(chargeId, kind, sha256Base64url(`${input.idempotencyKey} ${bodyHash}`));

  const charge = await findCharge(deps.db.sql, chargeId);
  if (charge?.merchantId !== merchantId) throw chargeNotFound();
  const known = await findKey();
  if (known) return repeat(deps, input, known, { bodyHash, key });
  await refuseSuspended(deps.db.sql, kind, merchantId);
  if (kind === "void" && isWaiting(charge)) {
    const voided = await voidWaitingCharge(deps, charge, idempotency, byOf(input)).catch(refuseUnsubmitted);
    // Where somebody else came first the charge waits no longer, and is looked at as it stands now.
    return voided ?? actOnCharge(deps, input, kind, body, amountOf);
  }
  const isAsked = kind === "void" && charge.state === "requires_action";
  if (charge.state !== "authorized" && !isAsked) throw notPossible(charge, kind);
  const act: PendingAct = { kind, amount: Number(amountWithin(deps, charge, amountOf)), key };
  const at = await deps.businessClock.now();
  const times = actTimes(deps.clock.now());
  let isWritten = false;
  const claim = await deps.db
    .sqlTransaction(async (sql): Promise<ActClaim> => {
      const claimed = await claimAct(sql, {
        merchantId,
        chargeId,
        idempotency,
        act,
        at,
        ...times,
      });
      if (claimed !== "claimed") throw new NotClaimed(claimed);
      isWritten = true;
      return claimed;
    })
    .catch((error: unknown) =>
      error instanceof NotClaimed ? error.claim : isWritten ? refuseUncertain(error) : refuseUnsubmitted(error),
    );
  if (claim === "claimed")
    return performAct(deps, { ...charge, ...times, lookups: 0, pendingAct: act }, byOf(input), true);
  return again(deps, input, charge, kind, idempotency, key);
};

/** Before anything is written: a process without access to the processor could only leave the act to another one. */
const amountWithin = (deps: Deps, charge: ChargeRow, amountOf: (charge: ChargeRow) => bigint): bigint => {
  try {
    deps.processors.get(charge.processor);
    return amountOf(charge);
  } catch (error) {
    return refuseUnsubmitted(error);
  }
};

type Idempotency = { route: string; key: string; bodyHash: string };

/** Somebody else was first: by this key, or by another act on the charge. */
const again = async (
  deps: Deps,
  input: Input,
  charge: ChargeRow,
  kind: "capture" | "void",
  idempotency: Idempotency,
  key: string,
): Promise<ChargeAnswer> => {
  const { merchantId, chargeId } = input;
  const { bodyHash } = idempotency;
  const other = await findIdempotencyKey(deps.db.sql, { merchantId, ...idempotency });
  if (other) return repeat(deps, input, other, { bodyHash, key });
  const present = await findCharge(deps.db.sql, chargeId);
  throw present?.pendingAct ? beingWorkedOn() : notPossible(present ?? charge, kind);
};

const byOf = (input: Input): SettledBy => ({ kind: "client", id: input.clientId, requestId: input.requestId });

/** Other body 422; the kept answer; 409 while a live process has it; else one retry goes on where that one stopped. */
const repeat = async (
  deps: Deps,
  input: Input,
  known: IdempotencyKey,
  asked: { bodyHash: string; key: string },
): Promise<ChargeAnswer> => {
  if (known.bodyHash !== asked.bodyHash) throw otherBody();
  if (known.responseStatus !== null && known.responseBody !== null) {
    return replayAnswer(deps, { chargeId: known.chargeId, status: known.responseStatus, body: known.responseBody });
  }
  const now = deps.clock.now();
  const lease = { chargeId: input.chargeId, key: asked.key, now, leaseUntil: addSeconds(now, leaseSeconds) };
  const taken = await takeActLease(deps.db.sql, lease);
  if (!taken?.pendingAct) throw inProgress();
  const answer = await performAct(deps, { ...taken, pendingAct: taken.pendingAct }, byOf(input), false);
  return { ...answer, isReplay: true };
};

const notPossible = (charge: ChargeRow, kind: "capture" | "void"): DomainError => {
  const possible =
    kind === "capture"
      ? "only an authorized charge can be captured"
      : "only a charge that is authorized or waits for the payer can be voided";
  return new DomainError("conflict", "charge_not_authorized", `The charge is ${charge.state}; ${possible}.`);
};

const beingWorkedOn = (): DomainError =>
  new DomainError(
    "conflict",
    "charge_in_use",
    "Another capture or void of this charge is in progress. Try again in a moment.",
    {
      headers: { "retry-after": "1" },
    },
  );

const exceedsAuthorized = (): DomainError =>
  new DomainError("unprocessable", "exceeds_authorized", "The amount exceeds the authorized amount.", {
    errors: [{ pointer: "/amount", detail: "exceeds the authorized amount" }],
  });
