type Stoppable = { stop(): Promise<unknown> };
export type Begin = <T extends Stoppable>(starting: Promise<T>) => Promise<T>;

/** Runs `work`. Then stops, in reverse order, everything that `work` started, even after a signal. */
export const untilStopped = async (work: (begin: Begin) => Promise<void>): Promise<void> => {
  const started: Stoppable[] = [];
  const begin: Begin = async (starting) => {
    const one = await starting;
    started.push(one);
    return one;
  };
  let stopping: Promise<void> | null = null;
  const stopAll = (): Promise<void> => {
    stopping ??= (async () => {
      for (const one of started.splice(0).reverse()) await one.stop();
    })();
    return stopping;
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stopAll().then(() => process.exit(130)));
  }
  try {
    await work(begin);
  } catch (error) {
    // After a signal, the work can't continue, so its errors are ignored.
    if (!stopping) throw error;
  } finally {
    await stopAll();
  }
};
