import { addSeconds } from "../../kernel/time/clock.ts";

/** The lease of a process that works on a charge. If the process crashes, a retry can continue after this time. */
export const leaseSeconds = 30;
/** A charge that has been `reserved` for this time can't be sent any more, and is voided. */
export const staleReservationSeconds = 60;
/** The payer has this long to approve or authenticate. */
export const actionSeconds = 15 * 60;
/**
 * An authorization that isn't captured or voided within this time expires, because many cards don't hold authorizations
 * longer.
 */
export const authorizationSeconds = 7 * 24 * 3600;
/** The maximum duration of a call to the processor. */
export const callSeconds = 8;

/** The delay of the next look-up: 5 s, then 10, 20, 40 s and so on, up to an hour. */
export const lookupDelaySeconds = (lookups: number): number => Math.min(5 * 2 ** Math.min(lookups, 10), 3600);

const daySeconds = 24 * 3600;
/** The days after a refund on which it is looked up, because a bank may return the refunded money within a month. */
const refundCheckDays = [1, 2, 4, 7, 11, 16, 22, 30];
/** The day of the last look-up if the earlier look-ups got no answer. */
const lastRefundCheckDay = 37;

/**
 * @param sinceGiven seconds since the refund was made. @param isAnswered whether the processor reported the refund's
 *   state.
 * @returns the seconds until the refund is looked up again; null if it isn't looked up again.
 */
export const refundCheckDelaySeconds = (sinceGiven: number, isAnswered: boolean): number | null => {
  const next = refundCheckDays.find((days) => days * daySeconds > sinceGiven);
  const delay = next === undefined ? null : next * daySeconds - sinceGiven;
  if (isAnswered) return delay;
  if (sinceGiven >= lastRefundCheckDay * daySeconds) return null;
  return Math.min(delay ?? daySeconds, daySeconds);
};

/** No bank holds an authorized amount longer than this (docs.stripe.com/payments/extended-authorization). */
const longestHoldSeconds = 31 * daySeconds;

/** Whether an authorization has certainly expired at the bank. Used if the processor couldn't void it. */
export const isHoldLapsed = (createdAt: Date, at: Date): boolean => addSeconds(createdAt, longestHoldSeconds) <= at;

/** After this time, the request can no longer arrive, because the connection is closed when the call times out. */
const arrivalSeconds = 2 * callSeconds;
const notFoundGapSeconds = 60;

/**
 * Some processors forget a key after a day. One hour of this day is a margin for clock differences and for the call
 * itself.
 */
const keySeconds = 23 * 3600;
export const isKeyRemembered = (submittedAt: Date, now: Date): boolean => now < addSeconds(submittedAt, keySeconds);

/** How long a search by our metadata may lag in the worst case (docs.stripe.com/search). */
const searchSeconds = 3600;
export const isSearchComplete = (submittedAt: Date, now: Date): boolean =>
  addSeconds(submittedAt, searchSeconds) <= now;

const unansweredSeconds = 7 * daySeconds;
/**
 * Minimum number of look-ups without an answer; they take about half a day. If no look-ups ran for a week, a later
 * outage of an hour therefore doesn't count as a week without an answer.
 */
const unansweredLookups = 20;

/**
 * Whether the processor no longer answers about a charge, for example because the account is closed. An operator must
 * then ask in another way.
 * @param charge.lookups number of look-ups since the charge's state last changed.
 */
export const isUnanswered = (charge: { submittedAt: Date | null; lookups: number }, now: Date): boolean =>
  charge.submittedAt !== null &&
  addSeconds(charge.submittedAt, unansweredSeconds) <= now &&
  charge.lookups >= unansweredLookups;

/**
 * 'Not found' twice, at least 60 s apart and after the request can no longer arrive, means that the charge was never
 * submitted.
 */
export const isNotSubmitted = (charge: { submittedAt: Date; notFoundAt: Date | null }, now: Date): boolean =>
  charge.notFoundAt !== null &&
  addSeconds(charge.notFoundAt, notFoundGapSeconds) <= now &&
  addSeconds(charge.submittedAt, arrivalSeconds) <= charge.notFoundAt;

/** When to ask again after an answer of 'not found'. The answer counts only if the request can no longer arrive. */
export const afterNotFound = (
  charge: { submittedAt: Date; notFoundAt: Date | null; lookups: number },
  now: Date,
): { notFoundAt: Date | null; nextLookupAt: Date } => {
  if (now < addSeconds(charge.submittedAt, arrivalSeconds)) {
    return { notFoundAt: null, nextLookupAt: addSeconds(charge.submittedAt, arrivalSeconds) };
  }
  const notFoundAt = charge.notFoundAt ?? now;
  return { notFoundAt, nextLookupAt: addSeconds(notFoundAt, notFoundGapSeconds) };
};
