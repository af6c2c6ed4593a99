/**
 * Runs a job with its own trace.
 * @param isExported whether the outcome is worth a trace: most runs find nothing to do. A failed run is always
 *   exported.
 */
export type TraceJob = <Outcome>(
  name: string,
  run: () => Promise<Outcome>,
  isExported: (outcome: Outcome) => boolean,
) => Promise<Outcome>;

/** Runs jobs in a process without a trace collector. */
export const untraced: TraceJob = (_name, run) => run();
