import { cutOffUsage, findUsageCutOff } from "../../../data/billing/meters/usage-cut-off.ts";
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
import { finalizePeriod } from "./finalize-period.ts";

const errorRetrySeconds = 300;
/**
 * The maximum age of the usage's cut-off when a period is finalized. If a period waits longer, the next attempt sets a
 * new cut-off.
 */
const cutOffSeconds = 60;

/**
 * Does the next step of due periods: closes the periods that have ended, and finalizes the periods whose grace period
 * is over. Each step is one transaction, which claims the subscription, so that any number of workers share the work
 * and a killed worker leaves no partial changes. Before a period is finalized, a separate short transaction sets the
 * cut-off of the usage.
 * @returns how many steps were done; call again while it equals `limit`.
 */
export const billDuePeriods = async (deps: Deps, { limit }: { limit: number }): Promise<number> => {
  const until = await deps.businessClock.dueUntil();
  if (until === null) return 0;
  let done = 0;
  while (done < limit) {
    const step = await billNext(deps, until);
    if (step === "none") return done;
    if (step === "done") done += 1;
  }
  return done;
};

type Step = "none" | "cut_off" | "done";

const billNext = async (deps: Deps, until: BusinessTime): Promise<Step> => {
  const claim: { period: BillingPeriodRow | null } = { period: null };
  try {
    return await deps.db.sqlTransaction(async (sql) => {
      claim.period = await claimDuePeriod(sql, { until, realNow: deps.clock.now() });
      return claim.period ? takeStep(deps, sql, claim.period) : "none";
    });
  } catch (error) {
    if (claim.period === null || (error instanceof Error && isUnavailable(error))) throw error;
    // Other periods aren't affected. This one is tried again later.
    deps.log.error({ err: error, period: claim.period }, "a billing period failed");
    const retryAt = addSeconds(deps.clock.now(), errorRetrySeconds);
    await holdPeriod(deps.db.sql, claim.period, { reason: "error", retryAt });
    return "done";
  }
};

const takeStep = async (deps: Deps, sql: Sql, period: BillingPeriodRow): Promise<Exclude<Step, "none">> => {
  const at = await deps.businessClock.now();
  const row = await getSubscriptionRow(sql, period.subscriptionId);
  if (period.state === "open") {
    await closePeriod(deps, sql, { row, period, at });
    return "done";
  }
  const asOf = await findUsageCutOff(sql, row.merchantId);
  if (asOf === null || asOf < addSeconds(at, -cutOffSeconds) || (period.dueAt !== null && asOf < period.dueAt)) {
    await cutOffUsage(sql, row.merchantId, at);
    return "cut_off";
  }
  await finalizePeriod(deps, sql, { row, period, asOf, at });
  return "done";
};
