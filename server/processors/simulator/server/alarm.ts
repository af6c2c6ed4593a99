/** Work that becomes due within this time is done in one run, because waking the process costs more than a call. */
const strideMs = 50;
const retryMs = 5_000;
const never = Number.POSITIVE_INFINITY;

export type Alarm = {
  /** Runs the work at that time, unless an earlier run is scheduled. @param dueAt epoch milliseconds; null: no run. */
  wakeAt(dueAt: number | null): void;
  /** Cancels the timer, and waits for a run in progress. */
  stop(): Promise<void>;
};

/**
 * Runs `work` at requested times, one run at a time. After a fault it runs again a few seconds later.
 * @param work returns the time of the next run; null: none.
 */
export const createAlarm = (work: () => Promise<number | null>, onFault: (error: unknown) => void): Alarm => {
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = never;
  let run: Promise<void> = Promise.resolve();
  let isStopped = false;

  const ring = async (): Promise<void> => {
    if (isStopped) return;
    wakesAt = never;
    try {
      wakeAt(await work());
    } catch (error) {
      onFault(error);
      wakeAt(Date.now() + retryMs);
    }
  };
  const wakeAt = (dueAt: number | null): void => {
    if (dueAt === null) return;
    const at = dueAt > Date.now() ? Math.ceil(dueAt / strideMs) * strideMs : dueAt;
    if (at >= wakesAt || isStopped) return;
    wakesAt = at;
    clearTimeout(timer);
    timer = setTimeout(() => (run = run.then(ring)), Math.max(at - Date.now(), 0));
  };

  return {
    wakeAt,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await run;
    },
  };
};
