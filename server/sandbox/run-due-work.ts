import { setTimeout as sleep } from "node:timers/promises";
import { collectDueInvoices } from "../billing/collection/collect-due-invoices.ts";
import { expireCredits } from "../billing/credits/expire-credits.ts";
import { nextComparison } from "../billing/meters/reconciliation/next-comparison.ts";
import { reconcileUsage } from "../billing/meters/reconciliation/reconcile-usage.ts";
import { creditDueMonths } from "../billing/sla/credit-due-months.ts";
import { billDuePeriods } from "../billing/subscriptions/run/bill-due-periods.ts";
import { expireDueCharges } from "../charges/reconcile/reconcile-due-charges.ts";
import { findNextDue, makeExpiringChargesDue } from "../data/sandbox/sandbox-clock.ts";
import type { Deps } from "../deps/deps.ts";
import { DomainError } from "../kernel/errors.ts";
import { standingAt } from "../kernel/time/clock.ts";
import { expireDueMandates } from "../mandates/lifecycle/expire-due-mandates.ts";

const batch = 50;
/** The lease of a worker that crashed expires after 30 s. */
const timeoutMilliseconds = 45_000;

/**
 * Expires, bills and collects everything due up to `until`, in order, and compares the meters of each day with their
 * sources. While an item is processed, business time is the item's due time. Waits for work that a worker has started.
 * @throws DomainError unavailable if some work can't be completed; the workers keep retrying it.
 */
export const runDueWork = async (deps: Deps, until: Date): Promise<void> => {
  await makeExpiringChargesDue(deps.db.sql, until);
  const reconcileUntil = createReconciler(deps);
  for (let idleSince = performance.now(); ; ) {
    const due = await findNextDue(deps.db.sql, until);
    // The comparison may have released billing periods that are due earlier than `due`, so look for due work again.
    if ((await reconcileUntil(due ?? until)) > 0) continue;
    if (due === null) return;
    const then = { ...deps, businessClock: standingAt(due) };
    const mandates = await expireDueMandates(then, { limit: batch });
    const charges = await expireDueCharges(then, { limit: batch });
    const periods = await billDuePeriods(then, { limit: batch });
    const credited = await creditDueMonths(then, { limit: batch });
    const collected = await collectDueInvoices(then, { limit: batch });
    const credits = await expireCredits(then, { limit: batch });
    if (mandates + charges + periods + credited + collected + credits > 0) idleSince = performance.now();
    else if (performance.now() - idleSince > timeoutMilliseconds) throw unfinishedRefusal();
    else await sleep(50);
  }
};

/** Maximum number of days that one transaction compares. */
const maxDays = 31;

/**
 * @returns a function that compares the days before the next due work, since all work of these days is done. It returns
 *   the number of billing periods that no longer wait for the comparison.
 */
const createReconciler = (deps: Deps) => {
  let next = new Date(0);
  return async (at: Date): Promise<number> => {
    if (at < next) return 0;
    const { released } = await reconcileUsage({ ...deps, businessClock: standingAt(at) }, { maxDays });
    next = nextComparison(at);
    return released;
  };
};

const unfinishedRefusal = (): DomainError =>
  new DomainError("unavailable", {
    code: "clock_work_unfinished",
    message: "The clock was moved, but some work is not finished. It is retried automatically.",
    headers: { "retry-after": "30" },
  });
