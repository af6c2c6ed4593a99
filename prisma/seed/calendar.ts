/** Sets the time that the verbs use, so that the verbs themselves write the history. */
export type Calendar = { setDaysAgo(days: number): void };
