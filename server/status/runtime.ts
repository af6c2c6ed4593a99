import type { Deps } from "../deps/deps.ts";
import type { Board } from "./rules/board.ts";
import type { JournalRecord } from "./rules/journal/journal-record.ts";

/**
 * The database is production's and may be unavailable at any time. So pages, feeds and APIs read only the board, except
 * those for subscriptions.
 */
export type StatusDeps = Pick<Deps, "config" | "db" | "clock" | "sealer" | "outbound" | "log"> & {
  board(): Board;
  journal: {
    /** Once the promise resolves, the records are durable and on the board. */
    append(records: readonly JournalRecord[]): Promise<void>;
    /** Records that the database might not have yet. */
    pending(): readonly JournalRecord[];
  };
  productionUrl: string;
  /** null: there is no sandbox */
  sandboxUrl: string | null;
};

// The dependencies are on the global object for the reason stated in http/runtime.ts.
const slot = Symbol.for("paygrant.status-deps");
type Holder = { [slot]?: StatusDeps };

export const provideStatusDeps = (deps: StatusDeps): void => {
  (globalThis as Holder)[slot] = deps;
};

/** @returns null outside the status process. */
export const findStatusDeps = (): StatusDeps | null => (globalThis as Holder)[slot] ?? null;

/** @throws Error outside the status process. */
export const currentStatusDeps = (): StatusDeps => {
  const deps = findStatusDeps();
  if (!deps) throw new Error("status dependencies exist only in the status process");
  return deps;
};
