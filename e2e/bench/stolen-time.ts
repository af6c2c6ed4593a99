import { readFile } from "node:fs/promises";

type Times = { all: number; stolen: number };

/**
 * CPU times in ticks since the machine started (proc(5), /proc/stat: user, nice, system, idle, iowait, irq, softirq,
 * steal).
 */
const readTimes = async (): Promise<Times> => {
  const text = await readFile("/proc/stat", "utf8").catch(() => "");
  const ticks = (/^cpu +(.+)$/m.exec(text)?.[1] ?? "").split(" ").slice(0, 8).map(Number);
  return { all: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7] ?? 0 };
};

/**
 * @returns a function that ends the measurement and returns the share of the processors' time that a host gave to other
 *   machines: 0 to 1; 0 when it isn't reported.
 */
export const watchStolenTime = async (): Promise<() => Promise<number>> => {
  const before = await readTimes();
  return async () => {
    const { all, stolen } = await readTimes();
    return all > before.all ? (stolen - before.stolen) / (all - before.all) : 0;
  };
};
