const width = 16;
/**
 * If lines can't be rewritten, for example in a file, a step that takes longer than this is announced while it runs.
 */
const quietMilliseconds = 3_000;

/**
 * Shows a step while it runs, and then how long it took.
 * @param detailOf makes a detail from the result; it is shown after the time.
 */
export const step = async <T>(name: string, work: () => Promise<T>, detailOf?: (result: T) => string): Promise<T> => {
  const startedAt = performance.now();
  if (process.stdout.isTTY) process.stdout.write(`› ${name} …`);
  const announcement = process.stdout.isTTY
    ? undefined
    : setTimeout(() => process.stdout.write(`› ${name.padEnd(width)} …\n`), quietMilliseconds);
  const elapsed = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  const clear = process.stdout.isTTY ? "\r\x1b[2K" : "";
  try {
    const result = await work();
    const detail = detailOf ? `  ${detailOf(result)}` : "";
    process.stdout.write(`${clear}✓ ${name.padEnd(width)} ${elapsed().padStart(7)}${detail}\n`);
    return result;
  } catch (error) {
    process.stdout.write(`${clear}✗ ${name.padEnd(width)} ${elapsed().padStart(7)}\n`);
    throw error;
  } finally {
    clearTimeout(announcement);
  }
};

/** A problem that the person at the terminal can solve; printed without a stack. */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "StartError";
  }
}
