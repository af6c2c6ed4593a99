import { setTimeout as sleep } from "node:timers/promises";

/** The default limit of a wait. On a slow or busy machine, an operation that usually takes seconds can take minutes. */
const patienceSeconds = 240;

/** @throws Error if `holds` is still false after `seconds`. */
export const waitUntil = async (holds: () => Promise<boolean>, seconds = patienceSeconds): Promise<void> => {
  for (const deadline = performance.now() + seconds * 1000; !(await holds()); await sleep(100)) {
    if (performance.now() > deadline) throw new Error(`still false after ${seconds} s: ${holds}`);
  }
};
