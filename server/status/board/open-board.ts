import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../deps/deps.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { type Board, emptyBoard } from "../rules/board.ts";
import { type JournalRecord, withRecords } from "../rules/journal/journal-record.ts";
import { findMissingRecords, type MissingRecords } from "../rules/journal/missing-records.ts";
import { hasStartedUnrecorded, withStartedMaintenances } from "../rules/maintenance/started-maintenances.ts";
import type { Journal } from "./journal.ts";
import type { Snapshot } from "./snapshot.ts";

export type BoardStore = {
  /** The board as of its `readAt`, plus the later decisions of this process. Never waits. */
  board(): Board;
  /** Once the promise resolves, the records are durable and on the board. */
  append(records: readonly JournalRecord[]): Promise<void>;
  /** Records that the database might not have yet. */
  pending(): readonly JournalRecord[];
  /**
   * Replays the journal and reads the board. @returns false if the database can't be reached, or if the snapshot or the
   * journal can't be written.
   */
  refresh(): Promise<boolean>;
  stop(): Promise<void>;
};

type Options = {
  /** Writes records to the database; known records are ignored. @throws if the database can't be reached. */
  replay: (records: readonly JournalRecord[]) => Promise<void>;
  /** @throws if the database can't be reached. */
  load: () => Promise<Board>;
  /** Writes published records that the database lacks. @throws if the database can't be reached. */
  restore: (missing: MissingRecords) => Promise<void>;
  snapshot: Snapshot;
  journal: Journal;
  clock: Clock;
  log: Log;
  everyMilliseconds: number;
  /** how long the start waits for the database before it continues with the snapshot */
  patienceMilliseconds?: number;
};

/**
 * Keeps the board in memory: the database's state, or the last snapshot while the database is unavailable, with the
 * pending records of the journal applied. A part of the journal is removed once the database and the snapshot contain
 * it. If the database was restored to an earlier state, the published records that it lacks are written to it.
 */
export const openBoard = async (options: Options): Promise<BoardStore> => {
  const { snapshot, journal, clock, log, everyMilliseconds, patienceMilliseconds = 2_000 } = options;
  const reader = createReader(options, (await snapshot.read()) ?? emptyBoard(clock.now()));
  let running: Promise<boolean> | null = null;
  const refresh = (): Promise<boolean> => {
    running ??= reader
      .read()
      .catch((error: unknown) => {
        log.error({ err: error }, "the status snapshot or journal can't be written");
        return false;
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
  const timer = setInterval(() => void refresh(), everyMilliseconds);
  await Promise.race([refresh(), sleep(patienceMilliseconds)]);
  const current = withMaintenance(clock);
  return {
    board: () => current(reader.board()),
    async append(records) {
      await journal.append(records);
      reader.apply(records);
    },
    pending: () => journal.pending(),
    refresh,
    async stop() {
      clearInterval(timer);
      await running;
      await journal.close();
    },
  };
};

/** @param base the database's last known state. */
const createReader = (options: Options, base: Board) => {
  const { replay, load, snapshot, journal, log } = options;
  let lastBase = base;
  let board = withRecords(base, journal.pending());
  let isAway = false;
  const read = async (): Promise<boolean> => {
    let taken: Awaited<ReturnType<Journal["take"]>>;
    try {
      // During an outage this load fails, so the journal continues in the same file.
      if (isAway) await load();
      taken = await journal.take();
      if (taken.records.length > 0) await replay(taken.records);
      lastBase = await loadComplete(options, lastBase, taken.records);
      if (isAway) log.info({}, "the status board is read from the database again");
      isAway = false;
    } catch (error) {
      if (!isAway) log.warn({ err: error }, "the status board can't be read: its last state is kept");
      isAway = true;
      return false;
    }
    board = withRecords(lastBase, journal.pending());
    await snapshot.write(lastBase);
    await taken.remove();
    return true;
  };
  return {
    read,
    board: () => board,
    apply(records: readonly JournalRecord[]) {
      board = withRecords(board, records);
    },
  };
};

/** @param replayed records written to the database since `base`. */
const loadComplete = async (
  { load, replay, restore, log }: Options,
  base: Board,
  replayed: readonly JournalRecord[],
): Promise<Board> => {
  const loaded = await load();
  const missing = findMissingRecords(loaded, base, replayed);
  if (missing === null) return loaded;
  if (missing === "different_database") {
    log.warn({}, "the status page continues with a different database, which lacks earlier published records");
    return loaded;
  }
  await restore(missing);
  // The database may have ignored the replayed records, since they depend on records that it lacked.
  await replay(replayed);
  const counts = Object.fromEntries(Object.entries(missing).map(([name, { length }]) => [name, length]));
  log.warn(counts, "the database was restored to an earlier state: published records of the status page are restored");
  return load();
};

/** Adds maintenance that has started. Returns the same object until something changes: readers cache by identity. */
const withMaintenance = (clock: Clock): ((board: Board) => Board) => {
  let cached: { source: Board; startedCount: number; board: Board } | null = null;
  return (source) => {
    const now = clock.now();
    const startedCount = source.maintenances.filter((one) => hasStartedUnrecorded(one, now)).length;
    if (cached?.source !== source || cached.startedCount !== startedCount)
      cached = { source, startedCount, board: withStartedMaintenances(source, now) };
    return cached.board;
  };
};
