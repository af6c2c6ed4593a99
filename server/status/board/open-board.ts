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
  /** As of its `readAt`, and what this process decided since; never waits for anything. */
  board(): Board;
  /** They count, and are on the board, once this resolves. */
  append(records: readonly JournalRecord[]): Promise<void>;
  /** What the database may not have yet. */
  pending(): readonly JournalRecord[];
  /** Replays the journal and reads the board anew. @returns false where the database can't be reached. */
  refresh(): Promise<boolean>;
  stop(): Promise<void>;
};

type Options = {
  /** Into the database; what it holds already changes nothing. @throws where it can't be reached. */
  replay: (records: readonly JournalRecord[]) => Promise<void>;
  /** @throws where the database can't be reached. */
  load: () => Promise<Board>;
  /** Into the database, which lacks it. @throws where it can't be reached. */
  restore: (withheld: MissingRecords) => Promise<void>;
  snapshot: Snapshot;
  journal: Journal;
  clock: Clock;
  log: Log;
  everyMilliseconds: number;
  /** how long a start waits for the database: one that is away must not keep anybody from the snapshot */
  patienceMilliseconds?: number;
};

/**
 * Holds the board in memory: what the database says, or the last snapshot where that is away, and on it what the journal
 * holds that was not replayed yet. A part of the journal goes once both database and snapshot have it. A database that
 * lacks what the board held before was restored to an earlier state, and is given it back.
 */
export const openBoard = async (options: Options): Promise<BoardStore> => {
  const {
    replay,
    load,
    restore,
    snapshot,
    journal,
    clock,
    log,
    everyMilliseconds,
    patienceMilliseconds = 2_000,
  } = options;
  let base = (await snapshot.read()) ?? emptyBoard(clock.now());
  let board = withRecords(base, journal.pending());
  let isAway = false;
  let running: Promise<boolean> | null = null;

  /** @param records what the database was told since `base`; of something that it lacks it took none. */
  const loadWhole = async (records: readonly JournalRecord[]): Promise<Board> => {
    const loaded = await load();
    const withheld = findMissingRecords(loaded, base, records);
    if (withheld === null) return loaded;
    if (withheld === "another") {
      log.warn({}, "the status page goes on with another database: what it told before is not in it");
      return loaded;
    }
    await restore(withheld);
    await replay(records);
    const counts = Object.fromEntries(Object.entries(withheld).map(([name, { length }]) => [name, length]));
    log.warn(counts, "the database was restored to an earlier state: what the status page told since is put back");
    return load();
  };
  const read = async (): Promise<boolean> => {
    let taken: Awaited<ReturnType<Journal["take"]>>;
    try {
      // In an outage the journal goes on in one file.
      if (isAway) await load();
      taken = await journal.take();
      if (taken.records.length > 0) await replay(taken.records);
      base = await loadWhole(taken.records);
      if (isAway) log.info({}, "the status board is read from the database again");
      isAway = false;
    } catch (error) {
      if (!isAway) log.warn({ err: error }, "the status board can't be read: its last state stays");
      isAway = true;
      return false;
    }
    board = withRecords(base, journal.pending());
    await snapshot.write(base);
    await taken.remove();
    return true;
  };
  const refresh = (): Promise<boolean> => {
    running ??= read()
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
  let shown = { of: board, begun: 0, board };
  return {
    board() {
      const now = clock.now();
      const begun = board.maintenances.filter((one) => hasStartedUnrecorded(one, now)).length;
      // The same until something changes, by which readers know what they have told already.
      if (shown.of !== board || shown.begun !== begun)
        shown = { of: board, begun, board: withStartedMaintenances(board, now) };
      return shown.board;
    },
    async append(records) {
      await journal.append(records);
      board = withRecords(board, records);
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
