import type { Incident } from "../board.ts";

const dayMilliseconds = 24 * 3600 * 1000;
const workingDays = 5;

/** Midnight UTC of the instant's day. */
export const utcMidnightOf = (instant: Date): Date =>
  new Date(Math.floor(instant.getTime() / dayMilliseconds) * dayMilliseconds);

const nextDay = (day: Date): Date => new Date(day.getTime() + dayMilliseconds);

/** Monday to Friday in UTC. */
export const isWorkingDay = (day: Date): boolean => day.getUTCDay() !== 0 && day.getUTCDay() !== 6;

/**
 * @returns midnight UTC of the fifth working day after the resolution. The postmortem is due by the end of that day.
 */
export const postmortemDueOn = (resolvedAt: Date): Date => {
  let day = utcMidnightOf(resolvedAt);
  for (let left = workingDays; left > 0; ) {
    day = nextDay(day);
    if (isWorkingDay(day)) left -= 1;
  }
  return day;
};

export type PostmortemStatus =
  /** the incident isn't critical, or isn't resolved yet */
  { kind: "not_required" } | { kind: "published"; at: Date } | { kind: "due" | "overdue"; dueOn: Date };

/** docs/spec/status.md, Postmortems. `dueOn` is the last UTC day on which the postmortem is in time. */
export const postmortemStatusOf = (
  incident: Pick<Incident, "impact" | "state" | "resolvedAt"> & { postmortem: { publishedAt: Date | null } | null },
  now: Date,
): PostmortemStatus => {
  const at = incident.postmortem?.publishedAt ?? null;
  if (at) return { kind: "published", at };
  if (incident.impact !== "critical" || incident.state !== "resolved" || !incident.resolvedAt) {
    return { kind: "not_required" };
  }
  const dueOn = postmortemDueOn(incident.resolvedAt);
  return { kind: now < nextDay(dueOn) ? "due" : "overdue", dueOn };
};

/**
 * Whether operators are reminded now: once per working day, from the day after the resolution until the postmortem is
 * published. @param remindedOn UTC day of the last reminder.
 */
export const isReminderDue = (
  status: PostmortemStatus,
  { resolvedAt, remindedOn }: { resolvedAt: Date | null; remindedOn: Date | null },
  now: Date,
): boolean => {
  if ((status.kind !== "due" && status.kind !== "overdue") || resolvedAt === null) return false;
  const today = utcMidnightOf(now);
  return isWorkingDay(today) && today > utcMidnightOf(resolvedAt) && (remindedOn === null || remindedOn < today);
};
