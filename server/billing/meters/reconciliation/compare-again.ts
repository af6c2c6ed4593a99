import { type Actor, appendAudit } from "../../../data/audit/audit.ts";
import { releaseReconciledPeriods } from "../../../data/billing/meters/reconciled-periods.ts";
import { compareDays } from "../../../data/billing/meters/reconciliation.ts";
import { isReconciledDay } from "../../../data/billing/meters/reconciliation-lists.ts";
import type { Deps } from "../../../deps/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { addSeconds } from "../../../kernel/time/clock.ts";

/** The maximum duration of the comparison, because a request waits for it. The hourly job has more time. */
const timeoutMilliseconds = 60_000;
const daySeconds = 24 * 3600;

type Input = { day: Date; reason: string; actor: Actor; requestId: string };

/**
 * Compares all meters of a day again, after an operator corrected a difference. Invoices that waited for it are tried
 * again immediately. A repeated call gives the same result.
 * @param input.day the start of a UTC day that was compared before
 * @throws DomainError not_found day_not_compared.
 */
export const compareAgain = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { day, reason, actor, requestId }: Input,
): Promise<{ compared: number; differences: number; released: number }> => {
  const total = await db.sqlTransaction(
    async (sql) => {
      if (!(await isReconciledDay(sql, day))) throw notComparedRefusal();
      const [result] = await compareDays(sql, { from: day, to: addSeconds(day, daySeconds) });
      const [compared, differences] = [Number(result?.compared ?? 0), Number(result?.differences ?? 0)];
      await appendAudit(sql, {
        at: clock.now(),
        actor,
        requestId,
        action: "reconciliation.repeated",
        subjectId: day.toISOString().slice(0, 10),
        data: { reason, compared, differences },
      });
      return { compared, differences };
    },
    { timeoutMilliseconds },
  );
  return { ...total, released: await releaseReconciledPeriods(db.sql) };
};

const notComparedRefusal = (): DomainError =>
  new DomainError("not_found", {
    code: "day_not_compared",
    message: "This day hasn't been compared yet, or its results were deleted after 13 months.",
  });
