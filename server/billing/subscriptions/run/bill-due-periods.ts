import {
  type BillingPeriodRow,
  claimDuePeriod,
  holdPeriod,
} from "../../../data/billing/subscriptions/billing-periods.ts";
import { getSubscriptionRow } from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../../data/client.ts";
import { isUnavailable } from "../../../data/unavailable.ts";
import type { Deps } from "../../../deps/deps.ts";
import { addSeconds, type BusinessTime } from "../../../kernel/time/clock.ts";
import { closePeriod } from "./close-period.ts";
import { finalisePeriod } from "./finalise-period.ts";

const errorRetrySeconds = 300;

/**
 * Does the next step of due periods: closes those that have ended and finalises those whose grace period is over. Each
 * step is one transaction, which claims the subscription, so that any number of workers share the work and a killed
 * worker leaves no partial changes.
 * @returns how many steps were done; call again while it equals `limit`.
 */
export const billDuePeriods = async (deps: Deps, { limit }: { limit: number }): Promise<number> => {
  const until = await deps.businessClock.dueUntil();
  if (until === null) return 0;
  let done = 0;
  while (done < limit && (await billNext(deps, until))) done += 1;
  return done;
};

const billNext = async (deps: Deps, until: BusinessTime): Promise<boolean> => {
  const claim: { period: BillingPeriodRow | null } = { period: null };
  try {
    return await deps.db.sqlTransaction(async (sql) => {
      claim.period = await claimDuePeriod(sql, { until, realNow: deps.clock.now() });
      if (claim.period) await takeStep(deps, sql, claim.period);
      return claim.period !== null;
    });
  } catch (error) {
    if (claim.period === null || (error instanceof Error && isUnavailable(error))) throw error;
    // Other periods aren't affected. This one is tried again later.
    deps.log.error({ err: error, period: claim.period }, "a billing period failed");
    const retryAt = addSeconds(deps.clock.now(), errorRetrySeconds);
    await holdPeriod(deps.db.sql, claim.period, { reason: "error", retryAt });
    return true;
  }
};

const takeStep = async (deps: Deps, sql: Sql, period: BillingPeriodRow): Promise<void> => {
  const at = await deps.businessClock.now();
  const row = await getSubscriptionRow(sql, period.subscriptionId);
  if (period.state === "open") await closePeriod(deps, sql, { row, period, at });
  else await finalisePeriod(deps, sql, { row, period, at });
};
