import { sha256Base64url } from "../../kernel/crypto/hash.ts";

/** What a merchant tells of a meter of its own; `source`, `subject` and `time` are those of CloudEvents 1.0. */
export type OwnUsage = {
  /** what in the merchant's systems tells of it */
  source: string;
  /** the merchant's own, unique per source */
  eventId: string;
  meter: string;
  /** whom it is about, in the merchant's own words */
  subject: string | null;
  quantity: number;
  time: Date;
};

export const maxQuantity = 999_999_999_999;
export const acceptedDays = 35;
const aheadMinutes = 5;

/**
 * 1 to 200 code points, without those that CloudEvents 1.0 leaves out of its strings (Type System). What looks alike but is
 * encoded otherwise is another name.
 */
export const isName = (text: string): boolean => /^[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]{1,200}$/u.test(text);

/**
 * Meters that the service counts itself, now or later (docs/spec/billing.md, Meters): what a merchant tells is never
 * taken for one.
 */
const serviceMeters: ReadonlySet<string> = new Set([
  "tokens_issued",
  "introspections",
  "verifications",
  "step_ups",
  "active_mandates",
  "successful_charges",
  "webhooks_delivered",
]);

export const isMeterName = (text: string): boolean => /^[a-z][a-z0-9_]{0,62}$/.test(text);
export const isServiceMeter = (meter: string): boolean => serviceMeters.has(meter);

/** What is wrong with an event's time; null: nothing. The bounds themselves are within. */
export const timeProblem = (time: Date, now: Date): string | null => {
  const ahead = time.getTime() - now.getTime();
  if (ahead > aheadMinutes * 60_000) return `must be at most ${aheadMinutes} minutes in the future`;
  if (-ahead > acceptedDays * 24 * 3_600_000) return `must be at most ${acceptedDays} days ago`;
  return null;
};

/** The same for two events exactly where they say the same of the same instant, to the millisecond. */
export const bodyHash = ({ meter, subject, quantity, time }: Omit<OwnUsage, "source" | "eventId">): string =>
  sha256Base64url(JSON.stringify([meter, subject, quantity, time.getTime()]));
