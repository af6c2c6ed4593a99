/** Texts for the periods of limits, the times when limits reset, and the ends of mandates. */
export const periods = {
  calendar: {
    day: "Each day",
    week: "Each calendar week",
    month: "Each calendar month",
    quarter: "Each calendar quarter",
    year: "Each calendar year",
  },
  consent: {
    day: "Each day",
    week: "Every 7 days",
    month: "Each month",
    quarter: "Every three months",
    year: "Each year",
  },
  calendarReset: {
    day: "resets at midnight",
    week: "resets on Mondays",
    month: "resets on the 1st",
    quarter: "resets on 1 January, April, July and October",
    year: "resets on 1 January",
  },
  resetDay: "resets at midnight",
  resetWeek: "resets on {weekday}s",
  resetMonth: "resets on the {day, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} of each month",
  resetMonthLate:
    "resets on the {day, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} of each month, or on the last day of shorter months",
  resetQuarter: "resets every three months on the {day, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}",
  resetQuarterLate:
    "resets every three months on the {day, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}, or on the last day of a shorter month",
  resetYear: "resets each {date}",
  inZone: "{text}, {zone}",
} as const;
