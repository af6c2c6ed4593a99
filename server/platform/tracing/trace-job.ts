/**
 * Runs a job as one piece of work with a trace of its own.
 * @param isTold whether the outcome is worth a trace: most runs of a job find nothing to do. One that fails always is.
 */
export type TraceJob = <Outcome>(
  name: string,
  run: () => Promise<Outcome>,
  isTold: (outcome: Outcome) => boolean,
) => Promise<Outcome>;

/** Where nobody collects traces. */
export const untraced: TraceJob = (_name, run) => run();
