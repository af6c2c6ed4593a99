const slotMilliseconds = 15 * 60_000;
const hourMilliseconds = 3_600_000;

/**
 * The start of the slot that contains an instant. A slot is a quarter of an hour, because the offset of each
 * time zone from UTC is a multiple of 15 minutes.
 */
const slotOf = (instant: number): Date => new Date(Math.floor(instant / slotMilliseconds) * slotMilliseconds);

/** The first slot that begins at an instant or after it. */
export const nextSlot = (instant: Date): Date => slotOf(instant.getTime() + slotMilliseconds - 1);

/**
 * The worker sums the slots before this slot. Newer charges still change often.
 * @param now in business time
 */
export const summedUntil = (now: Date): Date => slotOf(now.getTime() - 2 * hourMilliseconds);

/**
 * From this slot on, readers sum the charges themselves and don't use the worker's sums. So the worker has an hour to
 * sum a slot before its sum is read.
 */
export const chargesReadFrom = (now: Date): Date => slotOf(now.getTime() - 3 * hourMilliseconds);
