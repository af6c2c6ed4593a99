import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError, fieldRefusal } from "../../kernel/errors.ts";
import { monthsAfter } from "../../kernel/time/calendar.ts";
import { appendTestMonth } from "../../status/uptime/append-test-month.ts";
import { slaComponents } from "../rules/sla/sla-credits.ts";
import { slaDueAt } from "../rules/sla/sla-months.ts";
import type { Period } from "../rules/usage-period.ts";

type Input = {
  component: string;
  /** a UTC month: from its first instant to the first instant of the next month */
  month: Period;
  minutes: number;
  actor: Actor;
  requestId: string;
};

/**
 * How many months in the future an outage may be. After a month is recorded, no earlier month can be recorded. Without
 * this limit, a mistyped year would therefore prevent all further outages.
 */
const maxMonthsAhead = 24;

/**
 * Records the days of a month in the sandbox's own database, with an outage at the start of the month, so that SLA
 * credits can be tested there. The status page measures production and never shows these days. Earlier months that
 * aren't recorded yet get days without an outage (docs/spec/billing.md, SLA credits).
 * @throws DomainError invalid, naming the field; conflict sandbox_only, month_recorded or month_credited.
 */
export const recordTestOutage = async (
  { db, clock, businessClock, config }: Pick<Deps, "db" | "clock" | "businessClock" | "config">,
  input: Input,
): Promise<{ days: number }> => {
  if (config.environment !== "sandbox") throw refusal("sandbox_only", "Outages can be recorded only in the sandbox.");
  const { component, month, minutes, actor, requestId } = input;
  if (!slaComponents.includes(component)) throw fieldRefusal("/component", `must be ${slaComponents.join(", ")}`);
  const downMilliseconds = readMinutes(minutes, month) * 60_000;
  const now = await businessClock.now();
  if (month.from > monthsAfter(now, maxMonthsAhead, "UTC")) {
    throw fieldRefusal("/month", `must be at most ${maxMonthsAhead} months after the sandbox's time`);
  }
  if (now >= slaDueAt(month.from)) {
    throw refusal("month_credited", "The credits of this month are already computed. Choose a later month.");
  }
  return db.transaction(async (tx) => {
    const at = clock.now();
    const days = await appendTestMonth(tx, { component, month, downMilliseconds, frozenAt: at });
    if (days === null) throw refusal("month_recorded", "Days of this month or a later one are already recorded.");
    const data = { month: month.from.toISOString().slice(0, 7), minutes };
    await appendAudit(tx.sql, { at, actor, requestId, action: "sla.test_outage", subjectId: component, data });
    return { days };
  });
};

const refusal = (code: string, message: string): DomainError => new DomainError("conflict", { code, message });

const readMinutes = (minutes: number, { from, to }: Period): number => {
  const maxMinutes = (to.getTime() - from.getTime()) / 60_000;
  if (Number.isInteger(minutes) && minutes >= 0 && minutes <= maxMinutes) return minutes;
  throw fieldRefusal("/minutes", `must be a whole number from 0 to ${maxMinutes}`);
};
