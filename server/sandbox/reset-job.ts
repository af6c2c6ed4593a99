/** The weekly reset's name in the job queue. */
export const resetJob = "reset-sandbox";
