import { updatePeriodEnd } from "../../../data/billing/subscriptions/billing-periods.ts";
import { type SubscriptionRow, updateSubscription } from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../../data/client.ts";
import type { Deps } from "../../../deps/deps.ts";
import { fieldRefusal } from "../../../kernel/errors.ts";
import { addSeconds, type BusinessTime } from "../../../kernel/time/clock.ts";
import { getOpenPeriod } from "../period-span.ts";
import { catchUp } from "../run/close-period.ts";

/** A caller's clock may be slightly slow, so an end a short time ago is accepted. */
const toleranceSeconds = 300;

type End = { row: SubscriptionRow; cancelAt: Date | null | undefined; at: BusinessTime };

/** Sets or removes the end of a locked subscription. If the end has been reached, the last period is closed. */
export const applyEnd = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { row, cancelAt, at }: End,
): Promise<SubscriptionRow> => {
  if (cancelAt === undefined || cancelAt?.getTime() === row.cancelAt?.getTime()) return row;
  if (cancelAt !== null && cancelAt < addSeconds(at, -toleranceSeconds))
    throw fieldRefusal("/cancel_at", "must not be in the past");
  const open = await getOpenPeriod(sql, row);
  const earliest = at > open.from ? at : new Date(open.from.getTime() + 1);
  const end = cancelAt !== null && cancelAt < earliest ? earliest : cancelAt;
  await updatePeriodEnd(sql, open, end !== null && end < open.wholeTo ? end : open.wholeTo);
  const changed = { ...row, cancelAt: end };
  await updateSubscription(sql, changed);
  return catchUp(deps, sql, { row: changed, at });
};
