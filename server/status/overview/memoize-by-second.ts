import type { Board } from "../rules/board.ts";

type Query = readonly [] | readonly [query?: string | Readonly<Record<string, string | undefined>>];

/**
 * Computes a result once per board, second and query, for any number of readers. Otherwise, many anonymous readers
 * could delay the probes, which run in the same event loop. All readers in one second get the result that was computed
 * for the first of them.
 */
export const memoizeBySecond = <Args extends Query, Result>(
  compute: (board: Board, now: Date, ...args: Args) => Result,
): ((board: Board, now: Date, ...args: Args) => Result) => {
  const cache = new WeakMap<Board, { second: number; results: Map<string, Result> }>();
  return (board, now, ...args) => {
    const second = Math.floor(now.getTime() / 1000);
    let entry = cache.get(board);
    if (entry?.second !== second) {
      entry = { second, results: new Map() };
      cache.set(board, entry);
    }
    const key = JSON.stringify(args);
    if (!entry.results.has(key)) entry.results.set(key, compute(board, now, ...args));
    return entry.results.get(key) as Result;
  };
};
