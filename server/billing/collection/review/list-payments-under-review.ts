import { listUnresolvedPayments, type UnresolvedPaymentRow } from "../../../data/billing/collection/dunning-cases.ts";
import type { Deps } from "../../../deps/deps.ts";
import { reviewedUntil } from "./unresolved-payment.ts";

/** Attempts whose outcome isn't known after an hour, oldest first. */
export const listPaymentsUnderReview = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { startingAfter = null, limit }: { startingAfter?: string | null | undefined; limit: number },
): Promise<{ payments: UnresolvedPaymentRow[]; hasMore: boolean }> => {
  const startedUntil = reviewedUntil(clock.now());
  const rows = await listUnresolvedPayments(db.sql, { startedUntil, startingAfter, limit });
  return { payments: rows.slice(0, limit), hasMore: rows.length > limit };
};
