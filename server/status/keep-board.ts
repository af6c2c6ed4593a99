import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../deps.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Journal } from "./journal.ts";
import { type Board, emptyBoard } from "./rules/board.ts";
import { type JournalRecord, withRecords } from "./rules/journal-record.ts";
import type { Snapshot } from "./snapshot.ts";

/** How long a start waits for the database. */
const patienceMilliseconds = 2_000;

export type BoardKeeper = {
  /** As of its `readAt`, and what this process decided since; never waits for anything. */
  board(): Board;
  /** They count, and are on the board, once this resolves. */
  append(records: readonly JournalRecord[]): Promise<void>;
  /** What the database may not have yet. */
  pending(): readonly JournalRecord[];
  /** Replays the journal and reads the board anew, where the database can be reached. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  /** Into the database; what it holds already changes nothing. @throws where it can't be reached. */
  replay: (records: readonly JournalRecord[]) => Promise<void>;
  /** @throws where the database can't be reached. */
  load: () => Promise<Board>;
  snapshot: Snapshot;
  journal: Journal;
  clock: Clock;
  log: Log;
  everyMilliseconds: number;
};

/**
 * Holds the board in memory: what the database says, or the last snapshot where that is away, and on it what the journal
 * holds that was not replayed yet. A part of the journal goes once both database and snapshot have it.
 */
export const keepBoard = async (options: Options): Promise<BoardKeeper> => {
  const { replay, load, snapshot, journal, clock, log, everyMilliseconds } = options;
  let base = (await snapshot.read()) ?? emptyBoard(clock.now());
  let board = withRecords(base, journal.pending());
  let isAway = false;
  let running: Promise<void> | null = null;

  const read = async (): Promise<void> => {
    let taken: Awaited<ReturnType<Journal["take"]>>;
    try {
      // In an outage the journal goes on in one file.
      if (isAway) await load();
      taken = await journal.take();
      if (taken.records.length > 0) await replay(taken.records);
      base = await load();
      if (isAway) log.info({}, "the status board is read from the database again");
      isAway = false;
    } catch (error) {
      if (!isAway) log.warn({ err: error }, "the status board can't be read: its last state stays");
      isAway = true;
      return;
    }
    board = withRecords(base, journal.pending());
    await snapshot.write(base);
    await taken.remove();
  };
  const refresh = (): Promise<void> => {
    running ??= read()
      .catch((error: unknown) => log.error({ err: error }, "the status snapshot or journal can't be written"))
      .finally(() => {
        running = null;
      });
    return running;
  };

  const timer = setInterval(() => void refresh(), everyMilliseconds);
  // A database that is away must not keep anybody from the snapshot.
  await Promise.race([refresh(), sleep(patienceMilliseconds)]);
  return {
    board: () => board,
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
