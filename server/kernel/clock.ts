/** The only source of time below `compose.ts`; tests pass their own. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** Whole seconds since the epoch (NumericDate, RFC 7519 §2). */
export const epochSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

export const addSeconds = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000);

/** Half-open: an instant equal to `expiresAt` has expired. */
export const isExpired = (subject: { expiresAt: Date }, now: Date): boolean => subject.expiresAt <= now;
