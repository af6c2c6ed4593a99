import { findCharge } from "../data/charges.ts";
import { claimDueRefundChecks, type GivenRefund, scheduleRefundCheck } from "../data/refunds.ts";
import type { Deps } from "../deps.ts";
import { addSeconds } from "../kernel/clock.ts";
import { lookUpRefund } from "./perform-refund.ts";
import { reverseRefund } from "./reverse-refund.ts";
import { refundCheckDelaySeconds } from "./rules/settlement.ts";

/** Another worker may have a claimed one again after this long, should this one die. */
const claimSeconds = 60;

/**
 * Asks on certain days of the month after whether what was given back stands: a webhook that tells of the opposite may be
 * lost. @returns how many were looked at.
 */
export const checkGivenRefunds = async (deps: Deps, { limit }: { limit: number }): Promise<number> => {
  const now = deps.clock.now();
  const due = await claimDueRefundChecks(deps.db.sql, { now, limit, leaseUntil: addSeconds(now, claimSeconds) });
  await Promise.all(
    due.map(async (refund) => {
      try {
        await check(deps, refund);
      } catch (error) {
        // It stays due: the claim lapses and a later round takes it again.
        deps.log.error({ refundId: refund.id, err: error }, "a refund could not be asked for");
      }
    }),
  );
  return due.length;
};

const check = async (deps: Deps, refund: GivenRefund): Promise<void> => {
  const charge = await findCharge(deps.db.sql, refund.chargeId);
  const found = charge ? await lookUpRefund(deps, charge, refund) : { kind: "unknown" as const };
  if (found.kind === "failed") {
    return reverseRefund(deps, refund, { code: found.code, by: { kind: "reconciler", requestId: "reconcile" } });
  }
  const sinceGiven = ((await deps.businessClock.now()).getTime() - refund.givenAt.getTime()) / 1000;
  const delay = refundCheckDelaySeconds(sinceGiven, found.kind !== "unknown");
  await scheduleRefundCheck(deps.db.sql, refund.id, delay === null ? null : addSeconds(deps.clock.now(), delay));
};
