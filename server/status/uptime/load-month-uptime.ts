import type { Sql } from "../../data/client.ts";
import { type FrozenMonth, listFrozenUntil, sumFrozenMonth } from "../../data/status/component-days.ts";
import { components } from "../rules/components.ts";
import { tallyForCredits, uptimePercent } from "../rules/uptime/uptime.ts";
import { dayMilliseconds } from "../rules/uptime/utc-calendar.ts";

/** `uptime` in percent with three decimals, rounded down. `objective` in ten-thousandths. */
type MonthUptime = { component: string; title: string; objective: number; uptime: string; dayHash: string };

type Query = {
  /** a UTC month */
  month: { from: Date; to: Date };
  components: readonly string[];
};

/**
 * For each component that has an uptime objective: its uptime in a month for SLA credits, computed from frozen days.
 * Components that weren't measured in this month are left out.
 * @returns `isComplete`: no day of the month is left to freeze.
 */
export const loadMonthUptime = async (
  sql: Sql,
  { month, components: wanted }: Query,
): Promise<{ isComplete: boolean; figures: MonthUptime[] }> => {
  const frozen = await listFrozenUntil(sql);
  const measured = frozen.filter((one) => one.isMeasured && wanted.includes(one.component));
  const lastDay = month.to.getTime() - dayMilliseconds;
  const sums = new Map((await sumFrozenMonth(sql, month)).map((one) => [one.component, one]));
  return {
    isComplete: measured.every((one) => one.lastDay.getTime() >= lastDay),
    figures: measured.flatMap(({ component }) => {
      const sum = sums.get(component);
      return sum ? figureOf(sum) : [];
    }),
  };
};

const figureOf = ({ component, dayHash, ...sums }: FrozenMonth): MonthUptime[] => {
  const known = components.find(({ key }) => key === component);
  const uptime = uptimePercent(
    tallyForCredits({
      up: Number(sums.up),
      down: Number(sums.down),
      excluded: Number(sums.excluded),
      unmeasured: Number(sums.unmeasured),
    }),
  );
  if (!known || known.objective === null || uptime === null) return [];
  return [{ component, title: known.name, objective: known.objective, uptime, dayHash }];
};
