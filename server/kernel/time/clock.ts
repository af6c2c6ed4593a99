/**
 * Real time, for tokens, assertions, proofs, sessions, status lists, leases and retries. Together with `BusinessClock`,
 * it is the only source of dates below `compose.ts`, except in log lines and the simulator; tests pass their own clock.
 */
export type Clock = { now(): Date };

/**
 * The built-in Date, kept because Next replaces it with a slower version that tracks the use of time in prerendering.
 */
const SystemDate = Date;

export const systemClock: Clock = { now: () => new SystemDate() };

declare const business: unique symbol;

/** An instant of business time, used by mandates, charges and their events. A plain Date isn't assignable to it. */
export type BusinessTime = Date & { readonly [business]: true };

/** The time for decisions and timestamps of mandates, charges and grants (docs/adr/026-business-time.md). */
export type BusinessClock = {
  /** Uses no connection of the transaction pool, so it may be called within a transaction. */
  now(): Promise<BusinessTime>;
  /**
   * The time up to which work is due, for jobs. Null while the clock is being moved: the process that moves
   * the clock then does the due work.
   */
  dueUntil(): Promise<BusinessTime | null>;
};

/** Business time that equals real time. */
export const businessClockOf = (clock: Clock): BusinessClock => {
  const now = async () => clock.now() as BusinessTime;
  return { now, dueUntil: now };
};

/** Business time that is fixed, for work that is recorded at its due time. */
export const standingAt = (instant: Date): BusinessClock => businessClockOf({ now: () => instant });

/** Whole seconds since the epoch (NumericDate, RFC 7519 §2). */
export const epochSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

export const addSeconds = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000);

/** Half-open: an instant equal to `expiresAt` has expired. */
export const isExpired = (subject: { expiresAt: Date }, now: Date): boolean => subject.expiresAt <= now;
