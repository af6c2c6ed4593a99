import { findCurrentCoupon, insertAppliedCoupon } from "../../data/billing/subscriptions/applied-coupons.ts";
import type { SubscriptionRow } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { findCoupon } from "../catalogue/find-coupon.ts";
import { getPlanVersion } from "../catalogue/get-plan-version.ts";
import { couponEnd } from "../rules/periods/coupon-end.ts";
import type { CouponTerms } from "../rules/plans/coupon.wire.ts";
import { couponProblem } from "../rules/plans/coupon-problem.ts";
import { getOpenPeriod } from "../subscriptions/period-span.ts";
import { type By, recordSubscription } from "../subscriptions/record-subscription.ts";
import { lockCurrentSubscription } from "../subscriptions/run/lock-current-subscription.ts";

type Input = By & { merchantId: string; code: string; reason: string };

/**
 * Applies the newest version of a coupon to a merchant's subscription, from its current period on. The months of a
 * limited coupon count from the start of this period. A repeated call changes nothing while the coupon applies to the
 * current period (docs/spec/billing.md, Coupons of a subscription).
 * @throws DomainError not_found; unprocessable coupon_not_applicable.
 */
export const applyCoupon = (
  deps: Pick<Deps, "db" | "businessClock" | "config" | "clock">,
  { merchantId, code, reason, ...by }: Input,
): Promise<{ isNew: boolean }> =>
  deps.db.sqlTransaction(async (sql) => {
    const { row, at } = await lockCurrentSubscription(deps, sql, merchantId);
    const open = await getOpenPeriod(sql, row);
    if (await findCurrentCoupon(sql, { subscriptionId: row.id, code, periodFrom: open.from })) return { isNew: false };
    const coupon = await findCoupon(sql, { code });
    const problem = await problemOf(sql, { coupon, row, at });
    if (problem !== null || !coupon) throw notApplicableError(code, problem);
    const { version, durationMonths } = coupon;
    const endsAt =
      durationMonths === null ? null : couponEnd(durationMonths, { from: open.wholeFrom, at, timeZone: row.timeZone });
    const id = newId("cpa");
    await insertAppliedCoupon(sql, { id, subscriptionId: row.id, code, version, appliedAt: at, endsAt });
    const data = { coupon: code, version, ends_at: endsAt?.toISOString() ?? null, reason };
    await recordSubscription(sql, { ...by, row, at, action: "subscription.coupon_applied", data });
    return { isNew: true };
  });

type Subject = { coupon: CouponTerms | null; row: SubscriptionRow; at: BusinessTime };

/**
 * Null if the coupon applies in at least one of the plan's currencies; otherwise the problem in the subscription's
 * currency.
 */
const problemOf = async (sql: Sql, { coupon, row, at }: Subject): Promise<string | null> => {
  const { terms } = await getPlanVersion(sql, { planId: row.planId, version: row.planVersion, at });
  const main = terms.currencies.get(row.currency);
  const others = [...terms.currencies].filter(([currency]) => currency !== row.currency);
  const problems = [...(main ? [[row.currency, main] as const] : []), ...others].map(([currency, priced]) =>
    couponProblem(coupon, { planId: row.planId, currency, terms: priced }),
  );
  return problems.includes(null) ? null : (problems[0] ?? "doesn’t apply to this plan");
};

const notApplicableError = (code: string, problem: string | null): DomainError => {
  const detail = problem ?? "isn’t known";
  return new DomainError("unprocessable", {
    code: "coupon_not_applicable",
    message: `The coupon ${code} ${detail}.`,
    errors: [{ pointer: "/code", detail }],
  });
};
