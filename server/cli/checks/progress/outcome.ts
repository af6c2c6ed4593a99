import type { Failure } from "./part-progress.ts";

/** The result of a finished part. `output` is printed if something failed. */
export type Outcome = {
  name: string;
  passed: number;
  failed: number;
  seconds: number;
  output: string;
  /** the failed tests of a part that has tests */
  failures?: readonly Failure[];
  /** the tests that passed after a failure */
  recovered?: readonly Failure[];
};

/** Column width of the parts' names. */
export const nameWidth = 16;

export const formatOutcome = ({ name, passed, failed, seconds, output }: Outcome): string => {
  const mark = failed === 0 ? "✓" : "✗";
  const counts = failed === 0 ? `${passed} passed` : `${passed} passed, ${failed} failed`;
  const line = `${mark} ${name.padEnd(nameWidth)} ${`${seconds.toFixed(1)} s`.padStart(8)}  ${counts}\n`;
  return failed === 0 ? line : `${line}${output.trim()}\n`;
};

const longestError = 200;

const formatFailure = ({ file, title, error }: Failure): string => {
  const [firstLine = ""] = error.trim().split("\n");
  return `  ${file} > ${title}\n${firstLine ? `    ${firstLine.slice(0, longestError)}\n` : ""}`;
};

const formatList = (
  heading: string,
  parts: readonly (readonly [name: string, tests: readonly Failure[]])[],
): string => {
  const lines = parts.map(([name, tests]) => `${name}\n${tests.map(formatFailure).join("")}`);
  return parts.length === 0 ? "" : `\n${heading}:\n${lines.join("")}\n`;
};

/**
 * Lists the failed tests of all parts, and those that passed after a failure. Their errors are far above the end of a
 * log, and a log may be cut off.
 */
export const formatFailedTests = (outcomes: readonly Outcome[]): string => {
  const recovered = outcomes.filter((outcome) => outcome.recovered?.length);
  const failed = outcomes.filter((outcome) => outcome.failed > 0);
  return (
    formatList(
      "Passed after a failure",
      recovered.map((outcome) => [outcome.name, outcome.recovered ?? []]),
    ) +
    formatList(
      "Failed",
      failed.map(({ name, failures }) => [name, failures ?? []]),
    )
  );
};

/** Other programs read this line, which is the last line of a run. */
export const formatTotal = (outcomes: readonly Outcome[]): string => {
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  return `${passed} passed, ${failed} failed\n`;
};
