import { reconcileDueCharges } from "../../charges/reconcile/reconcile-due-charges.ts";
import { isBusinessDue } from "../business-due.ts";
import type { Tick } from "../job.ts";

const batchSize = 24;

/** Runs one round of look-ups. A slow processor delays the next round, but doesn't keep the worker from stopping. */
export const reconcileChargesTick: Tick = {
  name: "reconcile-charges",
  intervalMilliseconds: 1_000,
  isDue: ({ charges, chargesExpireAt }, deps) => charges || isBusinessDue(chargesExpireAt, deps),
  async run(deps) {
    const done = await reconcileDueCharges(deps, { limit: batchSize });
    return { done, hasMore: done >= batchSize };
  },
};
