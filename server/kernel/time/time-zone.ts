import { Temporal } from "temporal-polyfill";

/**
 * An IANA name. Offsets such as `+01:00` have no daylight-saving rules and are refused. The library that computes
 * periods decides which names are valid, because Intl also accepts names that aren't IANA zones, such as `PST` and
 * `IST`.
 */
export const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
};
