import { appendAudit } from "../../data/audit/audit.ts";
import { endLookups, isMandateActive } from "../../data/charges/charge-lookups.ts";
import { type ChargeRow, findCharge, rescheduleLookup } from "../../data/charges/charges.ts";
import type { Deps } from "../../deps/deps.ts";
import type { LookupOutcome } from "../../deps/processor-port.ts";
import { addSeconds, standingAt } from "../../kernel/time/clock.ts";
import { expireAtProcessor, performAct } from "../acts/perform-act.ts";
import { settleCharge } from "../charge/settle-charge.ts";
import type { SettledBy } from "../charge/settled-by.ts";
import { paymentOf } from "../charge/submit-charge.ts";
import type { PendingAct } from "../rules/charge-states.ts";
import {
  afterNotFound,
  isKeyRemembered,
  isNotSubmitted,
  isSearchComplete,
  isUnanswered,
  lookupDelaySeconds,
} from "../rules/schedule.ts";
import { lookUpPayment } from "./look-up-payment.ts";
import { settleFound } from "./settle-found.ts";

/**
 * Asks the processor about a charge that was sent, and settles it according to the answer. It never guesses an outcome.
 * @returns the charge after this call.
 */
export const lookUpCharge = async (deps: Deps, charge: ChargeRow, requestId: string): Promise<ChargeRow> => {
  const { submittedAt } = charge;
  if (!submittedAt) return charge;
  const by: SettledBy = { kind: "reconciler", requestId };
  const processor = deps.processors.get(charge.processor);
  const now = deps.clock.now();
  const isRepeatable = await mayBeRepeated(deps, charge, submittedAt);
  const outcome = isRepeatable
    ? await processor.pay(paymentOf(deps, charge))
    : await lookUpPayment(deps, charge, { requestId });
  switch (outcome.kind) {
    case "succeeded":
    case "authorized":
    case "captured":
    case "voided":
    case "declined":
      return settleFound(deps, charge, { found: outcome, by });
    case "processing":
    case "requires_action":
      if (charge.state !== outcome.kind) return settleFound(deps, charge, { found: outcome, by });
      return lookAgain(deps, charge, { nextLookupAt: await nextLookInTime(deps, charge), notFoundAt: null });
    case "not_found": {
      // If a processor can't look up a payment by our key, a payment that isn't found may still exist.
      if (!processor.capabilities.lookupByKey) return searchOn(deps, charge, { submittedAt, now, by });
      if (isNotSubmitted({ submittedAt, notFoundAt: charge.notFoundAt }, now)) {
        return settleCharge(deps, charge, { event: { kind: "not_submitted" }, by });
      }
      return lookAgain(deps, charge, afterNotFound({ ...charge, submittedAt }, now));
    }
    case "mismatch":
      return searchOn(deps, charge, { submittedAt, now, by });
    case "not_sent":
    case "unknown":
      return charge.state === "unknown" && isUnanswered(charge, now)
        ? requestReview(deps, charge, by.requestId)
        : askLater(deps, charge, by);
  }
};

/** The search may lag. Until it is complete, a payment that isn't found may still exist, so the search is repeated. */
const searchOn = (
  deps: Deps,
  charge: ChargeRow,
  { submittedAt, now, by }: { submittedAt: Date; now: Date; by: SettledBy },
): Promise<ChargeRow> =>
  isSearchComplete(submittedAt, now) ? requestReview(deps, charge, by.requestId) : askLater(deps, charge, by);

/**
 * The outcome can't be determined yet. If the call has just timed out, the charge becomes `unknown`; otherwise it is
 * looked up again later.
 */
const askLater = (deps: Deps, charge: ChargeRow, by: SettledBy): Promise<ChargeRow> => {
  if (charge.state === "submitted") return settleCharge(deps, charge, { event: { kind: "unknown" }, by });
  const nextLookupAt = addSeconds(deps.clock.now(), lookupDelaySeconds(charge.lookups + 1));
  return lookAgain(deps, charge, { nextLookupAt, notFoundAt: charge.notFoundAt });
};

/** The time of the next look-up, which isn't later than the end of the payer's time to act. */
const nextLookInTime = async (deps: Deps, charge: ChargeRow): Promise<Date> => {
  const delay = Math.min(lookupDelaySeconds(charge.lookups + 1), await secondsLeft(deps, charge));
  return addSeconds(deps.clock.now(), delay);
};

/** The seconds until the payer's time to act ends; infinity if the charge doesn't wait for the payer. */
const secondsLeft = async (deps: Deps, { state, expiresAt }: ChargeRow): Promise<number> => {
  if (state !== "requires_action" || expiresAt === null) return Number.POSITIVE_INFINITY;
  return (expiresAt.getTime() - (await deps.businessClock.now()).getTime()) / 1000;
};

/**
 * Whether a request may be repeated. At a processor without look-ups by our key, the identical request with the same
 * key returns the first outcome, and pays at most once. This is true only while the processor remembers the key. A
 * repeat is allowed only while the mandate is active.
 */
const mayBeRepeated = async (deps: Deps, charge: ChargeRow, submittedAt: Date): Promise<boolean> => {
  const { lookupByKey } = deps.processors.get(charge.processor).capabilities;
  if (lookupByKey || charge.processorRef !== null) return false;
  const now = await deps.businessClock.now();
  const isWanted = await isMandateActive(deps.db.sql, { mandateId: charge.mandateId, now });
  // Checked last, because this process may be paused before this line. It must not repeat a call after the processor
  // has forgotten the key.
  return isWanted && isKeyRemembered(submittedAt, deps.clock.now());
};

/**
 * Called when look-ups can't determine the outcome. The hold is kept until a processor event or an operator settles the
 * charge.
 */
const requestReview = async (deps: Deps, charge: ChargeRow, requestId: string): Promise<ChargeRow> => {
  const { db, businessClock } = deps;
  const left = charge.state === "unknown" ? charge : await settleUnknown(deps, charge, requestId);
  const isUnderReview = await db.sqlTransaction(async (sql) => {
    if (!(await endLookups(sql, left.id))) return false;
    const actor = { kind: "system", id: "reconciler" } as const;
    const data = { mandate_id: left.mandateId, amount: Number(left.amount), currency: left.currency };
    const subject = { action: "charge.review_needed", subjectId: left.id, requestId } as const;
    await appendAudit(sql, { at: await businessClock.now(), actor, ...subject, data });
    return true;
  });
  if (!isUnderReview) return left;
  deps.log.error({ chargeId: left.id }, "an outcome can't be determined: an operator must settle the charge");
  return { ...left, nextLookupAt: null };
};

const settleUnknown = (deps: Deps, charge: ChargeRow, requestId: string): Promise<ChargeRow> =>
  settleCharge(deps, charge, { event: { kind: "unknown" }, by: { kind: "reconciler", requestId } });

const lookAgain = async (
  deps: Deps,
  charge: ChargeRow,
  later: { nextLookupAt: Date; notFoundAt: Date | null },
): Promise<ChargeRow> => {
  const next = { ...charge, ...later, lookups: charge.lookups + 1 };
  await rescheduleLookup(deps.db.sql, next);
  return next;
};

const asOfExpiry = (deps: Deps, { expiresAt }: ChargeRow): Deps =>
  expiresAt === null ? deps : { ...deps, businessClock: standingAt(expiresAt) };

/**
 * Continues one due charge. The charge is due because its process has crashed, the processor hasn't decided yet, or the
 * charge has expired. The recorded time of expiry is the due time, even if a worker handles the charge later.
 */
export const reconcileCharge = async (deps: Deps, charge: ChargeRow): Promise<ChargeRow> => {
  const by: SettledBy = { kind: "reconciler", requestId: "reconcile" };
  switch (charge.state) {
    case "reserved":
      // Never sent: `submitted` is committed before a call is made.
      return settleCharge(deps, charge, { event: { kind: "voided" }, by });
    case "requires_action":
      if (!charge.submittedAt)
        return settleCharge(asOfExpiry(deps, charge), charge, { event: { kind: "expired" }, by });
      if (hasPendingAct(charge)) return continueAct(deps, charge, by);
      return (await secondsLeft(deps, charge)) > 0
        ? lookUpCharge(deps, charge, by.requestId)
        : expireUnlessActed(deps, charge, by);
    case "submitted":
    case "unknown":
    case "processing":
      return lookUpCharge(deps, charge, by.requestId);
    case "authorized":
      return hasPendingAct(charge)
        ? continueAct(deps, charge, by)
        : expireAtProcessor(asOfExpiry(deps, charge), charge, by);
    default:
      return charge;
  }
};

const hasPendingAct = (charge: ChargeRow): charge is ChargeRow & { pendingAct: PendingAct } =>
  charge.pendingAct !== null;

const actedOn: ReadonlySet<LookupOutcome["kind"]> = new Set([
  "processing",
  "authorized",
  "succeeded",
  "captured",
  "declined",
]);

/** The payer may have acted at the last moment. A payment that is made or in progress isn't voided. */
const expireUnlessActed = async (deps: Deps, charge: ChargeRow, by: SettledBy): Promise<ChargeRow> => {
  const found = await lookUpPayment(deps, charge, { requestId: by.requestId });
  return actedOn.has(found.kind)
    ? settleFound(deps, charge, { found, by })
    : expireAtProcessor(asOfExpiry(deps, charge), charge, by);
};

const continueAct = async (
  deps: Deps,
  charge: ChargeRow & { pendingAct: PendingAct },
  by: SettledBy,
): Promise<ChargeRow> => {
  const at = charge.pendingAct.kind === "expire" ? asOfExpiry(deps, charge) : deps;
  await performAct(at, charge, { by, isFirst: false });
  return (await findCharge(deps.db.sql, charge.id)) ?? charge;
};
