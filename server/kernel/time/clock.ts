/**
 * Real time: tokens, assertions, proofs, sessions, status lists, leases and retries. With `BusinessClock` the only source
 * of time below `compose.ts`; tests pass their own.
 */
export type Clock = { now(): Date };

/** Taken before Next puts a slower one in its place, by which it tells what a page reads while it is prerendered. */
const SystemDate = Date;

export const systemClock: Clock = { now: () => new SystemDate() };

declare const business: unique symbol;

/** An instant of business time, as mandates, charges and their events tell it. What asks for one takes no plain Date. */
export type BusinessTime = Date & { readonly [business]: true };

/** What mandates, charges and grants are decided and stamped by (docs/adr/026-business-time.md). */
export type BusinessClock = {
  /** Waits for no connection of the pool that transactions take theirs from: it may be asked in one. */
  now(): Promise<BusinessTime>;
  /** For jobs: up to when things are due. Null while the clock is moved: then whoever moves it does what falls due. */
  dueUntil(): Promise<BusinessTime | null>;
};

/** Business time that never leaves real time. */
export const businessClockOf = (clock: Clock): BusinessClock => {
  const now = async () => clock.now() as BusinessTime;
  return { now, dueUntil: now };
};

/** Business time that stands, for work that is to be written down at the instant that it fell due. */
export const standingAt = (instant: Date): BusinessClock => businessClockOf({ now: () => instant });

/** Whole seconds since the epoch (NumericDate, RFC 7519 §2). */
export const epochSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

export const addSeconds = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000);

/** Half-open: an instant equal to `expiresAt` has expired. */
export const isExpired = (subject: { expiresAt: Date }, now: Date): boolean => subject.expiresAt <= now;
