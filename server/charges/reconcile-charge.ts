import { type ChargeRow, findCharge, rescheduleLookup } from "../data/charges.ts";
import type { Deps } from "../deps.ts";
import { addSeconds } from "../kernel/clock.ts";
import { expireAuthorization, performAct } from "./perform-act.ts";
import { afterNotFound, isNotSubmitted, lookupDelaySeconds } from "./rules/settlement.ts";
import { type SettledBy, settleCharge } from "./settle-charge.ts";
import { lookupOf } from "./submit-charge.ts";

/**
 * Asks the processor what became of a charge that was sent, and settles by its answer; no outcome is ever guessed.
 * @returns the charge as it stands then.
 */
export const lookUpCharge = async (deps: Deps, charge: ChargeRow, requestId: string): Promise<ChargeRow> => {
  const { submittedAt } = charge;
  if (!submittedAt) return charge;
  const by: SettledBy = { kind: "reconciler", requestId };
  const processor = deps.processors.get(charge.processor);
  const outcome = await processor.lookup(lookupOf(charge));
  const now = deps.clock.now();
  switch (outcome.kind) {
    case "succeeded":
    case "authorized":
    case "declined":
      return settleCharge(deps, charge, outcome, by);
    case "processing":
    case "requires_action":
      if (charge.state !== outcome.kind) return settleCharge(deps, charge, outcome, by);
      return lookAgain(deps, charge, addSeconds(now, lookupDelaySeconds(charge.lookups + 1)), null);
    case "not_found": {
      if (isNotSubmitted({ submittedAt, notFoundAt: charge.notFoundAt }, now)) {
        return settleCharge(deps, charge, { kind: "not_submitted" }, by);
      }
      const { notFoundAt, nextLookupAt } = afterNotFound({ ...charge, submittedAt }, now);
      return lookAgain(deps, charge, nextLookupAt, notFoundAt);
    }
    case "not_sent":
    case "unknown":
      // Past its time-out and nobody can tell: that is what `unknown` means.
      if (charge.state === "submitted") return settleCharge(deps, charge, { kind: "unknown" }, by);
      return lookAgain(deps, charge, addSeconds(now, lookupDelaySeconds(charge.lookups + 1)), charge.notFoundAt);
  }
};

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

/** Brings one due charge further: whatever process had it has died, or the processor hasn't told yet. */
export const reconcileCharge = async (deps: Deps, charge: ChargeRow): Promise<ChargeRow> => {
  const by: SettledBy = { kind: "reconciler", requestId: "reconcile" };
  switch (charge.state) {
    case "reserved":
      // Never sent: `submitted` is committed before a call is made.
      return settleCharge(deps, charge, { kind: "voided" }, by);
    case "requires_action":
      return charge.submittedAt
        ? lookUpCharge(deps, charge, by.requestId)
        : settleCharge(deps, charge, { kind: "expired" }, by);
    case "submitted":
    case "unknown":
    case "processing":
      return lookUpCharge(deps, charge, by.requestId);
    case "authorized":
      if (charge.pendingAct === null) return expireAuthorization(deps, charge, by);
      await performAct(deps, { ...charge, pendingAct: charge.pendingAct }, by, false);
      return (await findCharge(deps.db.sql, charge.id)) ?? charge;
    default:
      return charge;
  }
};
