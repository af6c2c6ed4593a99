import type { Board } from "../rules/board.ts";

/**
 * What is computed of one board at one second is computed once, however many ask: anonymous readers share the event loop
 * with the probes. What it tells is as of that second's first reader.
 */
export const memoizeBySecond = <Args extends readonly (string | undefined)[], Told>(
  tell: (board: Board, now: Date, ...args: Args) => Told,
): ((board: Board, now: Date, ...args: Args) => Told) => {
  const remembered = new WeakMap<Board, { second: number; told: Map<string, Told> }>();
  return (board, now, ...args) => {
    const second = Math.floor(now.getTime() / 1000);
    let at = remembered.get(board);
    if (at?.second !== second) {
      at = { second, told: new Map() };
      remembered.set(board, at);
    }
    const key = args.join(" ");
    if (!at.told.has(key)) at.told.set(key, tell(board, now, ...args));
    return at.told.get(key) as Told;
  };
};
