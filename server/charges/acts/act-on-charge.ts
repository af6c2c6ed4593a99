import canonicalize from "canonicalize";
import { type ActClaim, claimAct, takeActLease } from "../../data/charges/charge-acts.ts";
import { type ChargeRow, findCharge } from "../../data/charges/charges.ts";
import { actRoute, findIdempotencyKey, type IdempotencyKey } from "../../data/charges/idempotency.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError, fieldRefusal } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { isWaiting, voidWaitingCharge } from "../approvals/void-waiting-charge.ts";
import { uncarriedAmountRefusal } from "../charge/refuse-charge.ts";
import { refuseInactive } from "../charge/refuse-inactive.ts";
import { differentBodyRefusal, inProgressRefusal } from "../charge/refuse-repeat.ts";
import { refuseUncertain } from "../charge/refuse-uncertain.ts";
import type { MerchantActor, SettledBy } from "../charge/settled-by.ts";
import { refuseUnsubmitted } from "../charge/submit-charge.ts";
import { type KeyedResult, storedResult } from "../idempotency/keyed-result.ts";
import { chargeNotFound } from "../lists/list-charges.ts";
import type { PendingAct } from "../rules/charge-states.ts";
import type { ActResult } from "../rules/results.ts";
import { leaseSeconds } from "../rules/schedule.ts";
import { actKey, actTimes, performAct } from "./perform-act.ts";

type Input = {
  merchantId: string;
  actor: MerchantActor;
  requestId: string;
  chargeId: string;
  idempotencyKey: string;
};

type Result = KeyedResult<ActResult<ChargeRow>>;

/**
 * Captures an authorized charge in full or in part. A partial capture releases the rest. The mandate may have any
 * state.
 */
export const captureCharge = (
  deps: Deps,
  { request, ...input }: Input & { request: { amount?: number | undefined } },
): Promise<Result> =>
  actOnCharge(deps, input, {
    kind: "capture",
    body: request,
    amountOf(charge) {
      const amount = request.amount === undefined ? charge.amount : BigInt(request.amount);
      if (amount > charge.amount) throw exceedsAuthorizedRefusal();
      const { capabilities } = deps.processors.get(charge.processor);
      if (amount < charge.amount && !capabilities.partialCapture) {
        throw fieldRefusal("/amount", "must be the full amount: this processor doesn't support partial captures");
      }
      const uncarried = uncarriedAmountRefusal(capabilities, { amount, currency: charge.currency });
      if (uncarried) throw uncarried;
      return amount;
    },
  });

/**
 * Voids a charge that is authorized or waits for the payer: no money moves, and the held budget becomes available
 * again.
 */
export const voidCharge = (deps: Deps, input: Input): Promise<Result> =>
  actOnCharge(deps, input, { kind: "void", body: {}, amountOf: ({ amount }) => amount });

class NotClaimed extends Error {
  readonly claim: Exclude<ActClaim, "claimed">;
  constructor(claim: Exclude<ActClaim, "claimed">) {
    super(claim);
    this.claim = claim;
  }
}

type Act = { kind: "capture" | "void"; body: object; amountOf: (charge: ChargeRow) => bigint };

/** A request with the caller's idempotency key and the key of the act at the processor. */
type Call = Input & Act & { idempotency: { route: string; key: string; bodyHash: string }; actKey: string };

/**
 * At most one act per charge at a time, and at most one per key. The act is committed before it is sent. A repeat with
 * the same key returns the stored answer.
 * @throws DomainError 400, 404, 409, 422 or 503. If one of these errors is thrown, nothing has changed, except after
 * `idempotency_key_in_use`: the act may be stored, and may still be performed.
 */
const actOnCharge = (deps: Deps, input: Input, act: Act): Promise<Result> => {
  const { chargeId, idempotencyKey: key } = input;
  const bodyHash = sha256Base64url(canonicalize(act.body) ?? "");
  return carryOut(deps, {
    ...input,
    ...act,
    idempotency: { route: actRoute(chargeId, act.kind), key, bodyHash },
    actKey: actKey(chargeId, act.kind, sha256Base64url(`${key} ${bodyHash}`)),
  });
};

const carryOut = async (deps: Deps, call: Call): Promise<Result> => {
  const { merchantId, chargeId, kind } = call;
  const charge = await findCharge(deps.db.sql, chargeId);
  if (charge?.merchantId !== merchantId) throw chargeNotFound();
  const known = await findKey(deps, call);
  if (known) return repeat(deps, call, known);
  await refuseInactive(deps.db.sql, kind, merchantId);
  if (kind === "void" && isWaiting(charge)) {
    const { idempotency } = call;
    const voided = await voidWaitingCharge(deps, charge, { idempotency, by: byOf(call) }).catch(refuseUnsubmitted);
    // If another caller settled the charge first, the charge no longer waits. Its new state decides whether the void is
    // allowed.
    return voided ? { ...voided, isRepeat: false } : carryOut(deps, call);
  }
  const isWithPayer = kind === "void" && charge.state === "requires_action";
  if (charge.state !== "authorized" && !isWithPayer) throw notPossibleRefusal(charge, kind);
  const act: PendingAct = { kind, amount: Number(amountWithin(deps, charge, call.amountOf)), key: call.actKey };
  const times = actTimes(deps.clock.now());
  if ((await claim(deps, call, { act, times })) !== "claimed") return afterLostClaim(deps, call, charge);
  const acting = { ...charge, ...times, lookups: 0, pendingAct: act };
  return { ...(await performAct(deps, acting, { by: byOf(call), isFirst: true })), isRepeat: false };
};

const findKey = (deps: Deps, { merchantId, idempotency }: Call): Promise<IdempotencyKey | null> =>
  findIdempotencyKey(deps.db.sql, { merchantId, ...idempotency });

const claim = async (
  deps: Deps,
  { merchantId, chargeId, idempotency }: Call,
  { act, times }: { act: PendingAct; times: ReturnType<typeof actTimes> },
): Promise<ActClaim> => {
  const at = await deps.businessClock.now();
  let isWritten = false;
  return deps.db
    .sqlTransaction(async (sql): Promise<ActClaim> => {
      const claimed = await claimAct(sql, { merchantId, chargeId, idempotency, act, at, ...times });
      if (claimed !== "claimed") throw new NotClaimed(claimed);
      isWritten = true;
      return claimed;
    })
    .catch((error: unknown) =>
      error instanceof NotClaimed ? error.claim : isWritten ? refuseUncertain(error) : refuseUnsubmitted(error),
    );
};

/**
 * Also checks that this process has access to the processor. Called before anything is written, because a process
 * without access couldn't perform the act.
 */
const amountWithin = (deps: Deps, charge: ChargeRow, amountOf: Act["amountOf"]): bigint => {
  try {
    deps.processors.get(charge.processor);
    return amountOf(charge);
  } catch (error) {
    return refuseUnsubmitted(error);
  }
};

/** Used if another request was first: a request with the same key, or another act on the charge. */
const afterLostClaim = async (deps: Deps, call: Call, charge: ChargeRow): Promise<Result> => {
  const known = await findKey(deps, call);
  if (known) return repeat(deps, call, known);
  const present = await findCharge(deps.db.sql, call.chargeId);
  throw present?.pendingAct ? chargeInUseRefusal() : notPossibleRefusal(present ?? charge, call.kind);
};

const byOf = ({ actor, requestId }: Input): SettledBy => ({ kind: "merchant", actor, requestId });

/**
 * A repeat with another body is refused. A stored answer is repeated. While another process performs the act, the
 * answer is 409; otherwise this process continues the act.
 */
const repeat = async (deps: Deps, call: Call, known: IdempotencyKey): Promise<Result> => {
  if (known.bodyHash !== call.idempotency.bodyHash) throw differentBodyRefusal();
  const stored = storedResult(known);
  if (stored) return stored;
  const now = deps.clock.now();
  const lease = { chargeId: call.chargeId, key: call.actKey, now, leaseUntil: addSeconds(now, leaseSeconds) };
  const taken = await takeActLease(deps.db.sql, lease);
  if (!taken?.pendingAct) throw inProgressRefusal();
  const acting = { ...taken, pendingAct: taken.pendingAct };
  return { ...(await performAct(deps, acting, { by: byOf(call), isFirst: false })), isRepeat: true };
};

const notPossibleRefusal = (charge: ChargeRow, kind: "capture" | "void"): DomainError => {
  const possible =
    kind === "capture"
      ? "only an authorized charge can be captured"
      : "only a charge that is authorized or waits for the payer can be voided";
  return new DomainError("conflict", {
    code: "charge_not_authorized",
    message: `The charge has the status ${charge.state}; ${possible}.`,
  });
};

const chargeInUseRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "charge_in_use",
    message: "Another action on this charge is in progress. Try again in a moment.",
    headers: { "retry-after": "1" },
  });

const exceedsAuthorizedRefusal = (): DomainError =>
  new DomainError("unprocessable", {
    code: "exceeds_authorized",
    message: "The amount exceeds the authorized amount.",
    errors: [{ pointer: "/amount", detail: "exceeds the authorized amount" }],
  });
