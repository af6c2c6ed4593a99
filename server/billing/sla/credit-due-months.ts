import { insertSlaCredits } from "../../data/billing/sla/sla-credits.ts";
import { claimDueSlaMonth, postponeSlaMonth, setNextSlaMonth } from "../../data/billing/sla/sla-due.ts";
import type { SlaFigureRow } from "../../data/billing/sla/sla-figures.ts";
import { getSubscriptionRow, type SubscriptionRow } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import { isUnavailable } from "../../data/unavailable.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds, type BusinessTime } from "../../kernel/time/clock.ts";
import { formatExact } from "../rules/exact/exact.ts";
import { type MonthCredit, type SlaPercent, slaComponents, slaCreditsOf } from "../rules/sla/sla-credits.ts";
import { slaDueAt, slaMonthDueAt } from "../rules/sla/sla-months.ts";
import type { Period } from "../rules/usage-period.ts";
import { catchUp } from "../subscriptions/run/close-period.ts";
import { loadMonthFees } from "./month-fees.ts";
import { loadSlaFigures } from "./sla-figures.ts";

/** Real time. The status process freezes a day one hour after its end, or when it runs again. */
const unfrozenRetrySeconds = 3_600;
const errorRetrySeconds = 300;

/**
 * Computes the SLA credits of subscriptions whose last month is due (docs/spec/billing.md, SLA credits). Each
 * subscription is one transaction, so that any number of workers share the work.
 * @returns how many subscriptions were processed; call again while it equals `limit`.
 */
export const creditDueMonths = async (deps: Deps, { limit }: { limit: number }): Promise<number> => {
  const until = await deps.businessClock.dueUntil();
  if (until === null) return 0;
  let done = 0;
  while (done < limit && (await creditNext(deps, until))) done += 1;
  return done;
};

const creditNext = async (deps: Deps, until: BusinessTime): Promise<boolean> => {
  const claim: { id: string | null } = { id: null };
  try {
    return await deps.db.sqlTransaction(async (sql) => {
      const claimed = await claimDueSlaMonth(sql, { until, realNow: deps.clock.now() });
      if (!claimed) return false;
      claim.id = claimed.id;
      await creditMonth(deps, sql, { subscriptionId: claimed.id, month: slaMonthDueAt(claimed.dueAt) });
      return true;
    });
  } catch (error) {
    if (claim.id === null || (error instanceof Error && isUnavailable(error))) throw error;
    // Other subscriptions aren't affected. This one is tried again later.
    deps.log.error({ err: error, subscriptionId: claim.id }, "the SLA credits of a subscription failed");
    await postponeSlaMonth(deps.db.sql, claim.id, addSeconds(deps.clock.now(), errorRetrySeconds));
    return true;
  }
};

const creditMonth = async (
  deps: Deps,
  sql: Sql,
  { subscriptionId, month }: { subscriptionId: string; month: Period },
): Promise<void> => {
  const at = await deps.businessClock.now();
  const figures = await loadSlaFigures(sql, { config: deps.config, month, at });
  if (figures === null) {
    return postponeSlaMonth(sql, subscriptionId, addSeconds(deps.clock.now(), unfrozenRetrySeconds));
  }
  const row = await catchUp(deps, sql, { row: await getSubscriptionRow(sql, subscriptionId), at });
  const failed = failedOf(figures);
  if (failed.length > 0) {
    const credits = slaCreditsOf(await loadMonthFees(sql, { row, month, asOf: at }), failed).map(toColumns);
    if (credits.length > 0) await insertSlaCredits(sql, { subscriptionId, month: month.from, at, credits });
  }
  await setNextSlaMonth(sql, subscriptionId, nextDueAt(row, month));
};

/** In the order of the status page. */
const failedOf = (figures: readonly SlaFigureRow[]) =>
  slaComponents.flatMap((component) => {
    const percent = figures.find((one) => one.component === component)?.creditPercent ?? 0;
    return percent === 0 ? [] : [{ component, percent: percent as SlaPercent }];
  });

const toColumns = ({ fee, exact, percent, ...credit }: MonthCredit) => ({
  ...credit,
  percent: String(percent),
  fee: formatExact(fee),
  exact: formatExact(exact),
});

const nextDueAt = ({ endedAt }: SubscriptionRow, month: Period): Date | null =>
  endedAt !== null && endedAt <= month.to ? null : slaDueAt(month.to);
