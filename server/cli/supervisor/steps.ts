const width = 16;

/** Shows a step while it runs and how long it took. @param work may return a detail, told behind the time. */
export const step = async <T>(name: string, work: () => Promise<T>, detailOf?: (result: T) => string): Promise<T> => {
  const startedAt = performance.now();
  if (process.stdout.isTTY) process.stdout.write(`› ${name} …`);
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
  }
};

/** A reason to stop that the person at the terminal can act on; printed without a stack. */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "StartError";
  }
}
