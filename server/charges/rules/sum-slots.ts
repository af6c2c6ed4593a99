const slotMilliseconds = 15 * 60_000;
const hourMilliseconds = 3_600_000;

/** The start of the slot of an instant: quarters of an hour, since all zones differ from UTC by a multiple of that. */
const slotOf = (instant: number): Date => new Date(Math.floor(instant / slotMilliseconds) * slotMilliseconds);

/** The first slot that begins at an instant or after it. */
export const nextSlot = (instant: Date): Date => slotOf(instant.getTime() + slotMilliseconds - 1);

/**
 * The worker sums the slots before this one. Younger charges still change often.
 * @param now in business time
 */
export const summedUntil = (now: Date): Date => slotOf(now.getTime() - 2 * hourMilliseconds);

/** Readers sum the charges from this slot on themselves. The worker has an hour to sum a slot before it is read. */
export const chargesReadFrom = (now: Date): Date => slotOf(now.getTime() - 3 * hourMilliseconds);
