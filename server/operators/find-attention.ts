import { reviewedUntil } from "../billing/collection/review/unresolved-payment.ts";
import { decidedUntil } from "../billing/invoices/tax-wait.ts";
import { type Attention, countAttention } from "../data/operators/attention.ts";
import type { Deps } from "../deps/deps.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { type MissingSetting, missingSettings } from "./missing-settings.ts";

/** How long failed mail is shown. */
const failedMailSeconds = 7 * 24 * 3600;

type Found = Omit<Attention, "hasSubscriptions"> & { missingSettings: MissingSetting[] };

/** Everything that needs an operator. */
export const findAttention = async ({
  db,
  clock,
  businessClock,
  config,
}: Pick<Deps, "db" | "clock" | "businessClock" | "config">): Promise<Found> => {
  const now = clock.now();
  const { hasSubscriptions, ...attention } = await countAttention(db.sql, {
    mailSince: addSeconds(now, -failedMailSeconds),
    paymentsUntil: reviewedUntil(now),
    draftsUntil: decidedUntil(await businessClock.now()),
  });
  return { ...attention, missingSettings: missingSettings(config, { hasSubscriptions }) };
};
