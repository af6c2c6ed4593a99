const minuteMilliseconds = 60_000;

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`;

/** `38 minutes`, `2 hours 5 minutes`, `3 days`. */
export const formatDuration = (milliseconds: number): string => {
  const minutes = Math.floor(Math.max(milliseconds, 0) / minuteMilliseconds);
  if (minutes < 1) return "less than a minute";
  if (minutes < 60) return plural(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return plural(Math.floor(hours / 24), "day");
  return minutes % 60 === 0 ? plural(hours, "hour") : `${plural(hours, "hour")} ${plural(minutes % 60, "minute")}`;
};

/** `43.2 min`, never rounded up. */
export const formatMinutes = (milliseconds: number, locale: string): string => {
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, roundingMode: "floor" });
  return `${format.format(milliseconds / minuteMilliseconds)} min`;
};
