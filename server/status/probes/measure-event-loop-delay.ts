const tickMilliseconds = 100;

/** @returns the result of `run`, and the longest delay of the event loop during it. */
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
