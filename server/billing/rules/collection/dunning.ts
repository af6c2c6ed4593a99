import { addSeconds } from "../../../kernel/time/clock.ts";

const daySeconds = 24 * 3600;
/** Retry days, counted from the first failure. */
const retryDays = [1, 3, 5, 7] as const;
const graceDays = 14;

export type Dunning = {
  invoiceDueAt: Date;
  attemptAt: Date | null;
  firstFailedAt: Date | null;
  overdueAt: Date | null;
  suspendedAt: Date | null;
};

/**
 * When a declined payment is retried. Retry days that have passed before the failure are skipped.
 * @returns null after the last retry, and after a final decline.
 */
export const nextRetryAt = (
  firstFailedAt: Date,
  { failedAt, isRetryable }: { failedAt: Date; isRetryable: boolean },
): Date | null => {
  if (!isRetryable) return null;
  const days = retryDays.find((day) => addSeconds(firstFailedAt, day * daySeconds) > failedAt);
  return days === undefined ? null : addSeconds(firstFailedAt, days * daySeconds);
};

/** Counted from the first failure or the due date, whichever is earlier. New charges are refused from this time. */
export const suspensionAt = ({
  invoiceDueAt,
  firstFailedAt,
}: Pick<Dunning, "invoiceDueAt" | "firstFailedAt">): Date => {
  const from = firstFailedAt !== null && firstFailedAt < invoiceDueAt ? firstFailedAt : invoiceDueAt;
  return addSeconds(from, graceDays * daySeconds);
};

export type DunningStep = { kind: "pay" | "overdue" | "suspend"; at: Date };

/** The next step of an open invoice; null if all are done. If two steps have the same time, the payment comes first. */
export const nextDunningStep = (dunning: Dunning): DunningStep | null => {
  const steps: DunningStep[] = [];
  if (dunning.attemptAt) steps.push({ kind: "pay", at: dunning.attemptAt });
  if (!dunning.overdueAt) steps.push({ kind: "overdue", at: dunning.invoiceDueAt });
  if (!dunning.suspendedAt) steps.push({ kind: "suspend", at: suspensionAt(dunning) });
  return steps.reduce<DunningStep | null>((first, step) => (first && first.at <= step.at ? first : step), null);
};
