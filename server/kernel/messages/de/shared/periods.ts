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
  calendarReset: {
    day: "beginnt um Mitternacht neu",
    week: "beginnt montags neu",
    month: "beginnt am 1. des Monats neu",
    quarter: "beginnt am 1. Januar, April, Juli und Oktober neu",
    year: "beginnt am 1. Januar neu",
  },
  resetDay: "beginnt um Mitternacht neu",
  resetWeek: "beginnt jeden {weekday} neu",
  resetMonth: "beginnt am {day, selectordinal, other {#.}} jedes Monats neu",
  resetMonthLate: "beginnt am {day, selectordinal, other {#.}} jedes Monats neu, in kürzeren Monaten am letzten Tag",
  resetQuarter: "beginnt alle drei Monate am {day, selectordinal, other {#.}} neu",
  resetQuarterLate:
    "beginnt alle drei Monate am {day, selectordinal, other {#.}} neu, in kürzeren Monaten am letzten Tag",
  resetYear: "beginnt jedes Jahr am {date} neu",
  inZone: "{text}, {zone}",
};
