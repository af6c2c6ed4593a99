/** The result of a finished part. `output` is printed if something failed. */
export type Outcome = { name: string; passed: number; failed: number; seconds: number; output: string };

/** Column width of the parts' names. */
export const nameWidth = 16;

export const formatOutcome = ({ name, passed, failed, seconds, output }: Outcome): string => {
  const mark = failed === 0 ? "✓" : "✗";
  const counts = failed === 0 ? `${passed} passed` : `${passed} passed, ${failed} failed`;
  const line = `${mark} ${name.padEnd(nameWidth)} ${`${seconds.toFixed(1)} s`.padStart(8)}  ${counts}\n`;
  return failed === 0 ? line : `${line}${output.trim()}\n`;
};

/** Other programs read this line, which is the last line of a run. */
export const formatTotal = (outcomes: readonly Outcome[]): string => {
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  return `${passed} passed, ${failed} failed\n`;
};
