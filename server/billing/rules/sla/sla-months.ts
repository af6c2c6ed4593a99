import type { Period } from "../usage-period.ts";

/** The credits of a month are computed on the third UTC day of the next one. */
const daysAfter = 2;
const dayMilliseconds = 24 * 3_600_000;

/** When the credits of the UTC month of an instant are due. */
export const slaDueAt = (at: Date): Date => {
  const { to } = utcMonth(at, 0);
  return new Date(to.getTime() + daysAfter * dayMilliseconds);
};

/** @param dueAt from `slaDueAt`. @returns the month whose credits are due then. */
export const slaMonthDueAt = (dueAt: Date): Period => utcMonth(dueAt, -1);

/** The UTC month `months` months after the month of an instant. */
export const utcMonth = (at: Date, months: number): Period => {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + months];
  return { from: new Date(Date.UTC(year, month, 1)), to: new Date(Date.UTC(year, month + 1, 1)) };
};

const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/** The address of a component's month on the status page. */
export const slaPageOf = (statusUrl: string, component: string, month: Date): string =>
  `${statusUrl}/status/uptime#${component}-${month.toISOString().slice(0, 7)}`;

/** `uptime 99.123 % in October 2026: …`, for the description of a line. */
export const slaDetail = ({ uptime, month, page }: { uptime: string; month: Date; page: string }): string =>
  `uptime ${uptime} % in ${monthFormat.format(month)}: ${page}`;
