import type { OperatorMaintenance } from "#server/trpc/operator/operator-status-views.ts";
import type { Tone } from "../ui/pill.tsx";
import { type Reader, unbroken } from "./values.ts";

export const maintenanceStates: Readonly<Record<OperatorMaintenance["state"], { tone: Tone; label: string }>> = {
  scheduled: { tone: "note", label: "Scheduled" },
  in_progress: { tone: "warn", label: "In progress" },
  completed: { tone: "good", label: "Completed" },
  cancelled: { tone: "neutral", label: "Cancelled" },
};

/** `1 Jan 2099, 01:00 – 02:00`: the day is told once where it stays the same. */
export const windowWords = (from: string, to: string, { locale, timeZone }: Reader): string =>
  unbroken(
    new Intl.DateTimeFormat(locale, {
      timeZone,
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
    }).formatRange(new Date(from), new Date(to)),
    // Between its two ends it may.
  ).replace("\u00a0–\u00a0", " – ");
