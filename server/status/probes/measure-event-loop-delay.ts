const tickMilliseconds = 100;

/** Runs it, and measures by how much this process' event loop was late at its worst meanwhile. */
export const watchLateness = async <Value>(
  run: () => Promise<Value>,
): Promise<{ value: Value; lateMilliseconds: number }> => {
  let [last, lateMilliseconds] = [performance.now(), 0];
  const tick = () => {
    const now = performance.now();
    lateMilliseconds = Math.max(lateMilliseconds, now - last - tickMilliseconds);
    last = now;
  };
  const timer = setInterval(tick, tickMilliseconds);
  try {
    const value = await run();
    tick();
    return { value, lateMilliseconds };
  } finally {
    clearInterval(timer);
  }
};
