import { StartError } from "../supervisor/steps.ts";

/** @returns the message of an error that the caller can fix, or null. */
const lineOf = (error: unknown): string | null =>
  error instanceof StartError ||
  (error instanceof TypeError && "code" in error && /^ERR_PARSE_ARGS/.test(`${error.code}`))
    ? error.message
    : null;

/** Runs a command that starts and measures a service. An error that the caller can fix is printed as one line. */
export const runMeasure = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    const line = lineOf(error);
    if (line === null) throw error;
    process.stderr.write(`${line}\n`);
    // process.exitCode isn't enough, because the package of the embedded PostgreSQL then ends the process with 0.
    process.exit(1);
  }
  process.disconnect?.();
};
