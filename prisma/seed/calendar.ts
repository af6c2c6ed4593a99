/** Moves the time that the verbs see, so that the verbs themselves write the history. */
export type Calendar = { setDaysAgo(days: number): void };
