import { addSeconds } from "../../kernel/time/clock.ts";

const daySeconds = 24 * 3600;
const maxJitterSeconds = 3600;

/**
 * One day and up to one random hour after the last check, so that domains that were verified together are checked at
 * different times. Checks are at least a day apart, so three consecutive failures mean at least 72 hours without proof.
 * @param chance from 0 to 1.
 */
export const nextCheckAt = (at: Date, chance: number): Date =>
  addSeconds(at, daySeconds + Math.floor(chance * maxJitterSeconds));

const endingFailures = 3;
const endingSeconds = 72 * 3600;

/** Earliest time at which a domain whose proof was last found at `provedAt` can become unverified. */
export const earliestDemotion = (provedAt: Date): Date => addSeconds(provedAt, endingSeconds);

/** @param failures number of consecutive failures, including the current one. */
export const endsVerification = (failures: number, { provedAt, at }: { provedAt: Date; at: Date }): boolean =>
  failures >= endingFailures && at >= earliestDemotion(provedAt);
