/**
 * Runs batches of shared work in parallel lanes, because each step mostly waits for another system. If a lane fails,
 * the others still complete their batches.
 * @param work does at most `batchSize` steps. @returns how many were done.
 */
export const runInLanes = async (
  { lanes, batchSize }: { lanes: number; batchSize: number },
  work: (batch: { limit: number }) => Promise<number>,
): Promise<{ done: number; hasMore: boolean }> => {
  const results = await Promise.allSettled(Array.from({ length: lanes }, () => work({ limit: batchSize })));
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  const done = results.map((result) => (result.status === "fulfilled" ? result.value : 0));
  return { done: done.reduce((sum, one) => sum + one, 0), hasMore: done.some((one) => one === batchSize) };
};
