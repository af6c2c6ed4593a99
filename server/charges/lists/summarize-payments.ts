import { countMerchantDisputes } from "../../data/charges/disputes.ts";
import { sumMerchantDays } from "../../data/charges/merchant/charge-sums.ts";
import type { Deps } from "../../deps/deps.ts";
import { addDays, dayIn, startOfDay } from "../../kernel/time/calendar.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { type Summary, summarize } from "../rules/payment-sums.ts";
import { type Trend, toTrend } from "../rules/payment-trend.ts";
import { chargesReadFrom } from "../rules/sum-slots.ts";
import { findPayments, type PaymentView } from "./find-payments.ts";

const attentionSeconds = 30 * 24 * 3600;

/** `disputed`: disputes that were opened in the period. */
type Period = Summary & { disputed: number };

type Overview = Period & {
  days: number;
  /** the period of the same length before this one */
  previous: Period;
  trend: Trend;
  waiting: PaymentView[];
  recent: PaymentView[];
};

/**
 * A merchant's payments of the last `days` calendar days in a zone, today included, compared with the same number of
 * days before. Also contains the open work of the last month: captures, disputes and unknown outcomes.
 */
export const summarizePayments = async (
  deps: Pick<Deps, "db" | "businessClock">,
  { merchantId, days, timeZone }: { merchantId: string; days: number; timeZone: string },
): Promise<Overview> => {
  const now = await deps.businessClock.now();
  const first = addDays(dayIn(timeZone, now), 1 - days);
  const since = startOfDay(addDays(first, -days), timeZone) ?? now;
  const firstInstant = startOfDay(first, timeZone) ?? now;
  const [sums, disputed, waiting, recent] = await Promise.all([
    sumMerchantDays(deps.db.sql, { merchantId, since, timeZone, chargesFrom: chargesReadFrom(now) }),
    countMerchantDisputes(deps.db.sql, { merchantId, since, middle: firstInstant }),
    findPayments(deps, {
      merchantId,
      limit: 5,
      since: addSeconds(now, -attentionSeconds),
      states: ["authorized", "disputed", "unknown"],
    }),
    findPayments(deps, { merchantId, limit: 5 }),
  ]);
  return {
    ...summarize(sums.filter(({ day }) => day >= first)),
    disputed: disputed.after,
    days,
    previous: { ...summarize(sums.filter(({ day }) => day < first)), disputed: disputed.before },
    trend: toTrend(sums, { first, days }),
    waiting: waiting.payments,
    recent: recent.payments,
  };
};
