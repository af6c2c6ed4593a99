import type { Incident } from "../board.ts";

const dayMilliseconds = 24 * 3600 * 1000;
const workingDays = 5;

/** Midnight UTC of the day that the instant is in. */
export const utcMidnightOf = (instant: Date): Date =>
  new Date(Math.floor(instant.getTime() / dayMilliseconds) * dayMilliseconds);

const nextDay = (day: Date): Date => new Date(day.getTime() + dayMilliseconds);

/** Monday to Friday, by UTC. */
export const isWorkingDay = (day: Date): boolean => day.getUTCDay() !== 0 && day.getUTCDay() !== 6;

/** @returns the fifth working day after the day of the resolution, as its midnight UTC: the postmortem is due by its end. */
export const postmortemDueOn = (resolvedAt: Date): Date => {
  let day = utcMidnightOf(resolvedAt);
  for (let left = workingDays; left > 0; ) {
    day = nextDay(day);
    if (isWorkingDay(day)) left -= 1;
  }
  return day;
};

export type PostmortemStatus =
  /** nobody has to write one: the incident isn't critical, or isn't resolved yet */
  { kind: "not_required" } | { kind: "published"; at: Date } | { kind: "due" | "overdue"; dueOn: Date };

/**
 * Where an incident's postmortem stands (docs/spec/status.md, Postmortems). `dueOn` is a UTC day, and still in time.
 */
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
 * Whether operators are to be reminded now: on working days from the one after the resolution on, once a day, until the
 * postmortem is published. @param remindedOn the UTC day of the last reminder.
 */
export const isReminderDue = (
  standing: PostmortemStatus,
  { resolvedAt, remindedOn }: { resolvedAt: Date | null; remindedOn: Date | null },
  now: Date,
): boolean => {
  if ((standing.kind !== "due" && standing.kind !== "overdue") || resolvedAt === null) return false;
  const today = utcMidnightOf(now);
  return isWorkingDay(today) && today > utcMidnightOf(resolvedAt) && (remindedOn === null || remindedOn < today);
};
