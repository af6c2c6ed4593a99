import { quantileOf } from "../../support/quantile.ts";

const reads = 40;
const warmUps = 5;

export type MeasuredPage = { failed: number; p50: number; p95: number };

/** Times in milliseconds, as a client sees them. Every answer other than 200 is a failure. */
export const measurePage = async (url: string, headers: Readonly<Record<string, string>>): Promise<MeasuredPage> => {
  const durations: number[] = [];
  let failed = 0;
  for (let read = 0; read < warmUps + reads; read++) {
    const startedAt = performance.now();
    const response = await fetch(url, { headers, redirect: "manual" });
    await response.arrayBuffer();
    if (response.status !== 200) failed++;
    if (read >= warmUps) durations.push(performance.now() - startedAt);
  }
  durations.sort((a, b) => a - b);
  return { failed, p50: quantileOf(durations, 0.5), p95: quantileOf(durations, 0.95) };
};
