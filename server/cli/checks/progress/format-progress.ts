import { nameWidth } from "./outcome.ts";
import type { Counts, Failure, Running } from "./part-progress.ts";

/** A part that runs. `counts` is null for a tool, which counts as one test. */
type RunningPart = { name: string; seconds: number; counts: Counts | null };

export type Snapshot = {
  seconds: number;
  /** tests of the parts that have finished */
  finishedTests: number;
  running: readonly RunningPart[];
  /** names of the parts that have not started */
  waiting: readonly string[];
};

const grouped = (count: number): string => count.toLocaleString("en-US");

/** `3:07`, or `1:02:03` for an hour or more */
export const formatTime = (seconds: number): string => {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
};

const formatRatio = (done: number, found: number, isTotal: boolean): string =>
  `${grouped(done)} of ${isTotal ? "" : "at least "}${grouped(found)}`;

/** Shows that the total is unknown while some files are not loaded yet. */
export const formatCounts = (counts: Counts | null): string => {
  if (counts === null) return "running";
  const { done, failed, found, total, filesLoaded, filesTotal } = counts;
  if (filesTotal === null || (total === null && found === 0)) return "starting, number of tests not known yet";
  const failures = failed > 0 ? `, ${grouped(failed)} failed` : "";
  const files = total === null ? `, ${filesLoaded} of ${filesTotal} files loaded` : "";
  return `${formatRatio(done, found, total !== null)} tests done${failures}${files}`;
};

const formatTotals = ({ finishedTests, running, waiting }: Snapshot): string => {
  const sum = (pick: (counts: Counts) => number, ofTool: number) =>
    running.reduce((all, { counts }) => all + (counts === null ? ofTool : pick(counts)), finishedTests);
  const isTotal = waiting.length === 0 && running.every(({ counts }) => counts === null || counts.total !== null);
  const done = sum((counts) => counts.done, 0);
  const found = sum((counts) => counts.found, 1);
  return `${formatRatio(done, found, isTotal)} tests done`;
};

const formatWaiting = (waiting: readonly string[]): string =>
  waiting.length === 0 ? "" : `; waiting: ${waiting.join(", ")}`;

const row = (name: string, seconds: number, text: string): string =>
  `› ${name.padEnd(nameWidth)} ${formatTime(seconds).padStart(8)}  ${text}`;

/** The progress on a terminal: a line for each part that runs, then one for the whole run. */
export const formatBlock = (snapshot: Snapshot): string[] => [
  ...snapshot.running.map(({ name, seconds, counts }) => row(name, seconds, formatCounts(counts))),
  row("all parts", snapshot.seconds, `${formatTotals(snapshot)}${formatWaiting(snapshot.waiting)}`),
];

/** The progress in a file or a pipe: the same information on one line. */
export const formatProgressLine = (snapshot: Snapshot): string => {
  const parts = snapshot.running.map(({ name, counts }) => `; ${name}: ${formatCounts(counts)}`).join("");
  return `› ${formatTime(snapshot.seconds)}  ${formatTotals(snapshot)}${parts}${formatWaiting(snapshot.waiting)}`;
};

/** Lists failed tests by file and title, each with its error. */
export const formatFailures = (failures: readonly Failure[]): string =>
  failures.map(({ file, title, error }) => `failed: ${file} > ${title}\n${error}\n`).join("");

/** Stands for the title while a file runs none of its tests. */
export const noTest = "(loading, beforeAll or afterAll)";

/** Lists the tests that a part was running when it was stopped, by file and title. */
export const formatRunning = (running: readonly Running[], now: number): string => {
  if (running.length === 0) return "No test was running.";
  const lines = running.map(({ file, title, startedAt }) => {
    const seconds = Math.round((now - startedAt) / 1000);
    return `  ${file} > ${title ?? noTest} (${seconds} s)`;
  });
  return ["Running at that time:", ...lines].join("\n");
};
