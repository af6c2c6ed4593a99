import type { Deps } from "../deps/deps.ts";
import type { Board } from "./rules/board.ts";
import type { JournalRecord } from "./rules/journal/journal-record.ts";

/**
 * What the status process works with. The database is production's and may be away at any time: pages, feeds and APIs
 * read the board and nothing else.
 */
export type StatusDeps = Pick<Deps, "config" | "db" | "clock" | "sealer" | "outbound" | "log"> & {
  board(): Board;
  /** What the status process decides by itself: lasting, and on the board, once it resolves. */
  journal: {
    append(records: readonly JournalRecord[]): Promise<void>;
    /** What the database may not have yet. */
    pending(): readonly JournalRecord[];
  };
  productionUrl: string;
  /** null: there is no sandbox */
  sandboxUrl: string | null;
};

// On the global object for the reason given in http/runtime.ts.
const slot = Symbol.for("paygrant.status-deps");
type Holder = { [slot]?: StatusDeps };

export const provideStatusDeps = (deps: StatusDeps): void => {
  (globalThis as Holder)[slot] = deps;
};

/** @returns null outside of the status process. */
export const findStatusDeps = (): StatusDeps | null => (globalThis as Holder)[slot] ?? null;

/** @throws Error outside of the status process. */
export const currentStatusDeps = (): StatusDeps => {
  const deps = findStatusDeps();
  if (!deps) throw new Error("only the status process answers this");
  return deps;
};
