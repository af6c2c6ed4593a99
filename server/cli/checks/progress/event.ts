/** A message from a reporter to the process that runs its part. Files are relative to the project folder. */
export type ProgressEvent =
  | { kind: "filesFound"; total: number }
  | { kind: "fileStarted"; file: string }
  | { kind: "fileLoaded"; file: string; tests: number }
  | { kind: "fileFinished"; file: string }
  | { kind: "testStarted"; id: string; file: string; title: string }
  /** `error`: why the test failed */
  | { kind: "testFinished"; id: string; result: TestOutcome; error?: string };

export type TestOutcome = "passed" | "failed" | "skipped";

/** Does nothing in a process that was started without a channel, for example by hand. */
export const sendEvent = (event: ProgressEvent): void => {
  process.send?.(event);
};
