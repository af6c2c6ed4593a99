import { utcMonth } from "../../../kernel/time/utc-month.ts";
import type { Period } from "../usage-period.ts";

/** The credits of a month are computed on the third UTC day of the next one. */
const daysAfter = 2;
const dayMilliseconds = 24 * 3_600_000;

/** When the credits for the UTC month that contains `at` are due. */
export const slaDueAt = (at: Date): Date => {
  const { to } = utcMonth(at, 0);
  return new Date(to.getTime() + daysAfter * dayMilliseconds);
};

/** @param dueAt from `slaDueAt`. @returns the month whose credits are due then. */
export const slaMonthDueAt = (dueAt: Date): Period => utcMonth(dueAt, -1);

const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/** The URL of a component's month on the status page. */
export const slaPageOf = (statusUrl: string, component: string, month: Date): string =>
  `${statusUrl}/status/uptime#${component}-${month.toISOString().slice(0, 7)}`;

/** `uptime 99.123% in October 2026: …`, for the description of a line. */
export const slaDetail = ({ uptime, month, page }: { uptime: string; month: Date; page: string }): string =>
  `uptime ${uptime}% in ${monthFormat.format(month)}: ${page}`;
