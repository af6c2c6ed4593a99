import { sumMerchantPayments } from "../../data/charges/merchant-payments.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { type Summary, summarize } from "../rules/payment-sums.ts";
import { findPayments, type PaymentView } from "./find-payments.ts";

const day = 24 * 3600;
const summaryDays = 7;
const attentionDays = 30;

/** A merchant's payments of the last week, and open work of the last month: captures, disputes, unknown outcomes. */
export const summarizePayments = async (
  deps: Pick<Deps, "db" | "businessClock">,
  { merchantId }: { merchantId: string },
): Promise<Summary & { days: number; waiting: PaymentView[]; recent: PaymentView[] }> => {
  const now = await deps.businessClock.now();
  const [sums, waiting, recent] = await Promise.all([
    sumMerchantPayments(deps.db.sql, merchantId, addSeconds(now, -summaryDays * day)),
    findPayments(deps, {
      merchantId,
      limit: 5,
      since: addSeconds(now, -attentionDays * day),
      states: ["authorized", "disputed", "unknown"],
    }),
    findPayments(deps, { merchantId, limit: 5 }),
  ]);
  return { ...summarize(sums), days: summaryDays, waiting: waiting.payments, recent: recent.payments };
};
