import { type ChargeRow, claimDueCharges, claimExpiringCharges } from "../../data/charges/charges.ts";
import { failureLevel } from "../../data/unavailable.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { reconcileCharge } from "./reconcile-charge.ts";

/** If this worker crashes, another may claim the charge after this time. */
const claimSeconds = 30;
/** Number of concurrent look-ups. Each waits for the processor for at most 8 s. */
const width = 8;

/** Maximum number of charges that can be looked up within `claimSeconds`. */
const batch = 3 * width;

/**
 * Settles charges that are due: reservations that were never sent, unknown outcomes, and approvals and authorizations
 * that have expired. Only one worker at a time settles a charge.
 * @returns how many charges were checked; call again while the result is `limit` or more.
 */
export const reconcileDueCharges = async (deps: Deps, { limit }: { limit: number }): Promise<number> => {
  let total = 0;
  while (total < limit) {
    const size = Math.min(batch, limit - total);
    const claimed = await reconcileBatch(deps, size);
    total += claimed;
    if (claimed < size) break;
  }
  return total;
};

const reconcileBatch = async (deps: Deps, limit: number): Promise<number> => {
  const now = deps.clock.now();
  const due = await claimDueCharges(deps.db.sql, { now, limit, leaseUntil: addSeconds(now, claimSeconds) });
  await reconcileAll(deps, due);
  // Runs even if many outcomes are unknown: a slow processor must not keep holds that have expired.
  return due.length + (await expireDueCharges(deps, { limit }));
};

/**
 * Settles charges whose approval or authorization has expired. Only one worker at a time settles a charge.
 * @returns how many charges were checked.
 */
export const expireDueCharges = async (deps: Deps, { limit }: { limit: number }): Promise<number> => {
  const at = await deps.businessClock.dueUntil();
  if (at === null) return 0;
  const leaseUntil = addSeconds(deps.clock.now(), claimSeconds);
  const expiring = await claimExpiringCharges(deps.db.sql, { at, limit, leaseUntil });
  await reconcileAll(deps, expiring);
  return expiring.length;
};

const reconcileAll = async (deps: Deps, due: readonly ChargeRow[]): Promise<void> => {
  const queue = due.values();
  const work = async () => {
    for (const charge of queue) {
      try {
        await reconcileCharge(deps, charge);
      } catch (error) {
        // The charge stays due. The claim expires, and a later round takes the charge again.
        deps.log[failureLevel(error)]({ chargeId: charge.id, err: error }, "a charge could not be reconciled");
      }
    }
  };
  await Promise.all(Array.from({ length: width }, work));
};
