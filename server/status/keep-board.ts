import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../deps.ts";
import type { Clock } from "../kernel/clock.ts";
import { type Board, emptyBoard } from "./rules/board.ts";
import type { Snapshot } from "./snapshot.ts";

/** How long a start waits for the database. */
const patienceMilliseconds = 2_000;

export type BoardKeeper = {
  /** As of its `readAt`; never waits for anything. */
  board(): Board;
  /** Reads it anew now, where the database can be reached. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  /** @throws where the database can't be reached. */
  load: () => Promise<Board>;
  snapshot: Snapshot;
  clock: Clock;
  log: Log;
  everyMilliseconds: number;
};

/** Holds the board in memory: from the database, and where that is away as the last snapshot tells it. */
export const keepBoard = async (options: Options): Promise<BoardKeeper> => {
  const { load, snapshot, clock, log, everyMilliseconds } = options;
  let board = (await snapshot.read()) ?? emptyBoard(clock.now());
  let isAway = false;
  let running: Promise<void> | null = null;

  const read = async (): Promise<void> => {
    try {
      board = await load();
      if (isAway) log.info({}, "the status board is read from the database again");
      isAway = false;
    } catch (error) {
      if (!isAway) log.warn({ err: error }, "the status board can't be read: its last state stays");
      isAway = true;
      return;
    }
    await snapshot
      .write(board)
      .catch((error: unknown) => log.error({ err: error }, "the status snapshot can't be written"));
  };
  const refresh = (): Promise<void> => {
    running ??= read().finally(() => {
      running = null;
    });
    return running;
  };

  const timer = setInterval(() => void refresh(), everyMilliseconds);
  // A database that is away must not keep anybody from the snapshot.
  await Promise.race([refresh(), sleep(patienceMilliseconds)]);
  return {
    board: () => board,
    refresh,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
};
