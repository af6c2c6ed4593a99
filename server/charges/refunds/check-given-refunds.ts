import { findCharge } from "../../data/charges/charges.ts";
import { claimDueRefundChecks, type GivenRefund, scheduleRefundCheck } from "../../data/charges/refund-lookups.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { refundCheckDelaySeconds } from "../rules/schedule.ts";
import { eachClaimedRefund } from "./each-claimed-refund.ts";
import { lookUpRefund } from "./perform-refund.ts";
import { reverseRefund } from "./reverse-refund.ts";

/**
 * Looks up each successful refund that may still fail, on certain days after it was made, because the webhook that
 * reports the failure may be lost. @returns how many refunds were checked.
 */
export const checkGivenRefunds = (deps: Deps, { limit }: { limit: number }): Promise<number> =>
  eachClaimedRefund(
    deps,
    (lease) => claimDueRefundChecks(deps.db.sql, { ...lease, limit }),
    (refund) => check(deps, refund),
  );

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
