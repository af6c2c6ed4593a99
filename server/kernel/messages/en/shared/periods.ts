/** The periods of limits, and when they reset. */
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
  nextReset: "resets on {date}, {time} ({zone})",
} as const;
