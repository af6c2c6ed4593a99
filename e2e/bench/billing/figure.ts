/** One measured target. */
export type Figure = { title: string; result: string; isReached: boolean };

export const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1000;
