import type { ComponentState, Incident, Maintenance } from "#server/status/rules/board.ts";
import type { Tone } from "../ui/pill.tsx";
import { unbroken } from "./values.ts";

export const stateWords: Readonly<Record<ComponentState, { label: string; tone: Tone }>> = {
  operational: { label: "Operational", tone: "good" },
  degraded: { label: "Degraded", tone: "warn" },
  partial_outage: { label: "Partial outage", tone: "bad" },
  major_outage: { label: "Major outage", tone: "bad" },
  maintenance: { label: "Maintenance", tone: "note" },
  unknown: { label: "Unknown", tone: "unknown" },
};

/** A component that isn't part of this installation. */
export const notDeployedWords: { label: string; tone: Tone } = { label: "Not deployed", tone: "neutral" };

export const incidentWords: Readonly<Record<Incident["state"], { label: string; tone: Tone }>> = {
  draft: { label: "Draft", tone: "neutral" },
  investigating: { label: "Investigating", tone: "warn" },
  identified: { label: "Identified", tone: "warn" },
  monitoring: { label: "Monitoring", tone: "note" },
  resolved: { label: "Resolved", tone: "good" },
  dismissed: { label: "Dismissed", tone: "neutral" },
};

export const impactWords: Readonly<Record<Incident["impact"], string>> = {
  none: "No impact",
  minor: "Minor impact",
  major: "Major impact",
  critical: "Critical impact",
};

export const maintenanceWords: Readonly<Record<Maintenance["state"], { label: string; tone: Tone }>> = {
  scheduled: { label: "Scheduled", tone: "note" },
  in_progress: { label: "In progress", tone: "note" },
  completed: { label: "Completed", tone: "good" },
  cancelled: { label: "Cancelled", tone: "neutral" },
};

/** Everybody reads the same times here, whichever zone they are in: UTC, and it says so. */
const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
  return (at: Date): string => unbroken(formatter.format(at));
};
const clockOf = format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
export const dayOf = format({ day: "numeric", month: "long", year: "numeric" });
export const monthOf = format({ month: "long", year: "numeric" });
const isSameDay = (left: Date, right: Date): boolean => dayOf(left) === dayOf(right);

/** `09:41 UTC` today, else with its day. */
export const momentOf = (at: Date, now: Date): string =>
  unbroken(isSameDay(at, now) ? `${clockOf(at)} UTC` : `${dayOf(at)}, ${clockOf(at)} UTC`);

/** `21 November 2026, 18:00 to 18:30 UTC` */
export const spanOf = (from: Date, to: Date): string =>
  isSameDay(from, to)
    ? `${dayOf(from)}, ${clockOf(from)} to ${clockOf(to)} UTC`
    : `${dayOf(from)}, ${clockOf(from)} to ${dayOf(to)}, ${clockOf(to)} UTC`;

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`;

/** `38 minutes`, `2 hours 5 minutes`, `3 days`: as exact as is of use. */
export const durationOf = (milliseconds: number): string => {
  const minutes = Math.floor(Math.max(milliseconds, 0) / 60_000);
  if (minutes < 1) return "less than a minute";
  if (minutes < 60) return counted(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return counted(Math.floor(hours / 24), "day");
  return minutes % 60 === 0 ? counted(hours, "hour") : `${counted(hours, "hour")} ${counted(minutes % 60, "minute")}`;
};

/** `a`, `a and b`, `a, b and c` */
export const listOf = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

const grouped = new Intl.NumberFormat("en-GB");
export const countOf = (count: number): string => grouped.format(count);

/** The policy of error budgets, where it holds. @param names components whose budget is used up. @returns null: none is. */
export const reliabilityFirst = (names: readonly string[]): string | null =>
  names.length === 0
    ? null
    : `Reliability first: this month’s error budget of ${listOf(names)} is used up. Until it recovers nothing is released but what mends it.`;
