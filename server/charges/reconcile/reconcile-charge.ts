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
 * Asks the processor what became of a charge that was sent, and settles by its answer; no outcome is ever guessed.
 * @returns the charge as it stands then.
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
      return lookAgain(deps, charge, await nextLookInTime(deps, charge), null);
    case "not_found": {
      // Who doesn't know our key proves nothing by not finding it.
      if (!processor.capabilities.lookupByKey) return searchOn(deps, charge, { submittedAt, now, by });
      if (isNotSubmitted({ submittedAt, notFoundAt: charge.notFoundAt }, now)) {
        return settleCharge(deps, charge, { event: { kind: "not_submitted" }, by });
      }
      const { notFoundAt, nextLookupAt } = afterNotFound({ ...charge, submittedAt }, now);
      return lookAgain(deps, charge, nextLookupAt, notFoundAt);
    }
    case "mismatch":
      return searchOn(deps, charge, { submittedAt, now, by });
    case "not_sent":
    case "unknown":
      return charge.state === "unknown" && isUnanswered(charge, now)
        ? handOver(deps, charge, by.requestId)
        : askLater(deps, charge, by);
  }
};

/** What isn't found where nothing is proved by that is looked for as long as it may still turn up. */
const searchOn = (
  deps: Deps,
  charge: ChargeRow,
  { submittedAt, now, by }: { submittedAt: Date; now: Date; by: SettledBy },
): Promise<ChargeRow> =>
  isSearchComplete(submittedAt, now) ? handOver(deps, charge, by.requestId) : askLater(deps, charge, by);

/** Past its time-out and nobody can tell: that is what `unknown` means. */
const askLater = (deps: Deps, charge: ChargeRow, by: SettledBy): Promise<ChargeRow> => {
  if (charge.state === "submitted") return settleCharge(deps, charge, { event: { kind: "unknown" }, by });
  const nextLookupAt = addSeconds(deps.clock.now(), lookupDelaySeconds(charge.lookups + 1));
  return lookAgain(deps, charge, nextLookupAt, charge.notFoundAt);
};

/** No later than the payer's time to act is over. */
const nextLookInTime = async (deps: Deps, charge: ChargeRow): Promise<Date> => {
  const delay = Math.min(lookupDelaySeconds(charge.lookups + 1), await secondsLeft(deps, charge));
  return addSeconds(deps.clock.now(), delay);
};

/** Of the payer's time to act; for ever where nobody waits for that. */
const secondsLeft = async (deps: Deps, { state, expiresAt }: ChargeRow): Promise<number> => {
  if (state !== "requires_action" || expiresAt === null) return Number.POSITIVE_INFINITY;
  return (expiresAt.getTime() - (await deps.businessClock.now()).getTime()) / 1000;
};

/**
 * Where nobody can be asked by our key, the identical request under the same key tells what came of the first, and does it
 * at most once: while the processor surely remembers the key, and while the payer still wants it.
 */
const mayBeRepeated = async (deps: Deps, charge: ChargeRow, submittedAt: Date): Promise<boolean> => {
  const { lookupByKey } = deps.processors.get(charge.processor).capabilities;
  if (lookupByKey || charge.processorRef !== null) return false;
  const now = await deps.businessClock.now();
  const isWanted = await isMandateActive(deps.db.sql, { mandateId: charge.mandateId, now });
  // Last, so that a process which stood still before this repeats nothing.
  return isWanted && isKeyRemembered(submittedAt, deps.clock.now());
};

/** Nothing more can be found out by itself: the hold stays until a processor event or an operator settles it. */
const handOver = async (deps: Deps, charge: ChargeRow, requestId: string): Promise<ChargeRow> => {
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
  nextLookupAt: Date,
  notFoundAt: Date | null,
): Promise<ChargeRow> => {
  const next = { ...charge, nextLookupAt, notFoundAt, lookups: charge.lookups + 1 };
  await rescheduleLookup(deps.db.sql, next);
  return next;
};

const asOfExpiry = (deps: Deps, { expiresAt }: ChargeRow): Deps =>
  expiresAt === null ? deps : { ...deps, businessClock: standingAt(expiresAt) };

/**
 * Brings one due charge further: whatever process had it has died, the processor hasn't told yet, or its time is over.
 * What expires does so as of the instant that it was to, whenever a worker gets to it.
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
      if (charge.pendingAct !== null) return goOn(deps, charge, charge.pendingAct, by);
      return (await secondsLeft(deps, charge)) > 0
        ? lookUpCharge(deps, charge, by.requestId)
        : expireUnlessActed(deps, charge, by);
    case "submitted":
    case "unknown":
    case "processing":
      return lookUpCharge(deps, charge, by.requestId);
    case "authorized":
      return charge.pendingAct === null
        ? expireAtProcessor(asOfExpiry(deps, charge), charge, by)
        : goOn(deps, charge, charge.pendingAct, by);
    default:
      return charge;
  }
};

const actedOn: ReadonlySet<LookupOutcome["kind"]> = new Set([
  "processing",
  "authorized",
  "succeeded",
  "captured",
  "declined",
]);

/** Its payer may have acted in the last moment: what came of that, or is with the bank by now, isn't called off. */
const expireUnlessActed = async (deps: Deps, charge: ChargeRow, by: SettledBy): Promise<ChargeRow> => {
  const found = await lookUpPayment(deps, charge, { requestId: by.requestId });
  return actedOn.has(found.kind)
    ? settleFound(deps, charge, { found, by })
    : expireAtProcessor(asOfExpiry(deps, charge), charge, by);
};

const goOn = async (deps: Deps, charge: ChargeRow, pendingAct: PendingAct, by: SettledBy): Promise<ChargeRow> => {
  await performAct(
    pendingAct.kind === "expire" ? asOfExpiry(deps, charge) : deps,
    { ...charge, pendingAct },
    { by, isFirst: false },
  );
  return (await findCharge(deps.db.sql, charge.id)) ?? charge;
};
