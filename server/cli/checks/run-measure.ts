import { StartError } from "../supervisor/steps.ts";

/** @returns null where it is no fault of whoever gave the command. */
const lineOf = (error: unknown): string | null =>
  error instanceof StartError ||
  (error instanceof TypeError && "code" in error && /^ERR_PARSE_ARGS/.test(`${error.code}`))
    ? error.message
    : null;

/** A command that measures a service of its own: what a person can act on is told in a line, and ends it with 1. */
export const runMeasure = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    const line = lineOf(error);
    if (line === null) throw error;
    process.stderr.write(`${line}\n`);
    // At once: the embedded PostgreSQL's package ends the process with 0 where a code is only set.
    process.exit(1);
  }
  process.disconnect?.();
};
