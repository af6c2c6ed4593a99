import { reviewedUntil } from "../billing/collection/review/unresolved-payment.ts";
import { decidedUntil } from "../billing/invoices/tax-wait.ts";
import { type Attention, countAttention } from "../data/operators/attention.ts";
import type { Deps } from "../deps/deps.ts";
import { addSeconds } from "../kernel/time/clock.ts";

/** How long failed mail is shown. */
const failedMailSeconds = 7 * 24 * 3600;

/** Everything that needs an operator. */
export const findAttention = async ({
  db,
  clock,
  businessClock,
}: Pick<Deps, "db" | "clock" | "businessClock">): Promise<Attention> => {
  const now = clock.now();
  return countAttention(db.sql, {
    mailSince: addSeconds(now, -failedMailSeconds),
    paymentsUntil: reviewedUntil(now),
    draftsUntil: decidedUntil(await businessClock.now()),
  });
};
