import type { periods as en } from "../../en/shared/periods.ts";
import type { Texts } from "../../texts.ts";

export const periods: Texts<typeof en> = {
  calendar: {
    day: "Pro Tag",
    week: "Pro Kalenderwoche",
    month: "Pro Kalendermonat",
    quarter: "Pro Kalenderquartal",
    year: "Pro Kalenderjahr",
  },
  consent: { day: "Pro Tag", week: "Alle 7 Tage", month: "Pro Monat", quarter: "Alle drei Monate", year: "Pro Jahr" },
  nextReset: "beginnt am {date} um {time} Uhr neu ({zone})",
};
