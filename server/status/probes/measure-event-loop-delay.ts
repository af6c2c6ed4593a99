const tickMilliseconds = 100;

/** Runs it, and measures by how much this process' event loop was late at its worst meanwhile. */
export const measureEventLoopDelay = async <Value>(
  run: () => Promise<Value>,
): Promise<{ value: Value; delayMilliseconds: number }> => {
  let [last, delayMilliseconds] = [performance.now(), 0];
  const tick = () => {
    const now = performance.now();
    delayMilliseconds = Math.max(delayMilliseconds, now - last - tickMilliseconds);
    last = now;
  };
  const timer = setInterval(tick, tickMilliseconds);
  try {
    const value = await run();
    tick();
    return { value, delayMilliseconds };
  } finally {
    clearInterval(timer);
  }
};
