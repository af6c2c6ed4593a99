import { serviceMeters } from "../../kernel/billing/meter-title.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";

/** An event of a merchant's own meter. `source`, `subject` and `time` are as in CloudEvents 1.0. */
export type OwnUsage = {
  /** the merchant's system that reports the event */
  source: string;
  /** chosen by the merchant, unique per source */
  eventId: string;
  meter: string;
  /** the merchant's own id of the customer */
  subject: string | null;
  quantity: number;
  time: Date;
};

export const maxQuantity = 999_999_999_999;
/**
 * The maximum sum of a meter's quantities in a UTC month. Without this limit, a merchant could report so much usage
 * that an amount of its invoice exceeds the range of JSON numbers. The invoice could then not be issued.
 */
export const maxMonthQuantity = 1_000_000_000_000n;
export const acceptedDays = 35;
const aheadMinutes = 5;

/**
 * 1 to 200 code points that CloudEvents 1.0 allows in strings (Type System). Names aren't normalized: different code
 * points for the same text are different names.
 */
export const isName = (text: string): boolean => /^[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]{1,200}$/u.test(text);

export const isMeterName = (text: string): boolean => /^[a-z][a-z0-9_]{0,62}$/.test(text);
/** A merchant can't report these meters. */
export const isServiceMeter = (meter: string): boolean => serviceMeters.includes(meter);

/** The oldest accepted time of an event. The id of an event that is older than this can be used again. */
export const oldestAccepted = (now: Date): Date => new Date(now.getTime() - acceptedDays * 24 * 3_600_000);

/** The problem with an event's time; null if it is accepted. The bounds are inclusive. */
export const timeProblem = (time: Date, now: Date): string | null => {
  const ahead = time.getTime() - now.getTime();
  if (ahead > aheadMinutes * 60_000) return `must be at most ${aheadMinutes} minutes in the future`;
  if (time < oldestAccepted(now)) return `must be at most ${acceptedDays} days ago`;
  return null;
};

/**
 * A hash that is equal for two events if and only if their meter, subject, quantity and time in milliseconds are equal.
 */
export const bodyHash = ({ meter, subject, quantity, time }: Omit<OwnUsage, "source" | "eventId">): string =>
  sha256Base64url(JSON.stringify([meter, subject, quantity, time.getTime()]));
