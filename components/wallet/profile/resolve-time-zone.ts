const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf("/") + 1);

/** @returns the only time zone that has the text as its name or its city, for example `Berlin`; otherwise the text. */
export const resolveTimeZone = (text: string, timeZones: readonly string[]): string => {
  const wanted = text.trim().replaceAll(" ", "_").toLowerCase();
  const found = timeZones.filter((zone) => [zone, cityOf(zone)].some((name) => name.toLowerCase() === wanted));
  return found.length === 1 && found[0] !== undefined ? found[0] : text;
};
