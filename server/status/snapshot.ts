import { mkdir, open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import type { Log } from "../deps.ts";
import type { Sealer } from "../kernel/seal.ts";
import type { Board } from "./rules/board.ts";
import { fromStoredJson, toStoredJson } from "./stored-json.ts";
import { syncDirectory } from "./sync-directory.ts";

/** The board as it was last read, encrypted whole: it names subscribers and drafts. */
export type Snapshot = {
  /** @returns null where there is none that this process can read. */
  read(): Promise<Board | null>;
  /** Whole or not at all; nothing is written where nothing but the instant of reading differs from the last. */
  write(board: Board): Promise<void>;
};

const fileName = "snapshot";
/** Raised when older snapshots can't be read as a board any more. */
const context = "board:1";

export const openSnapshot = (options: { directory: string; sealer: Sealer; log: Log }): Snapshot => {
  const { directory, sealer, log } = options;
  const file = path.join(directory, fileName);
  let written: string | null = null;
  return {
    async read() {
      const sealed = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      });
      if (sealed === null) return null;
      try {
        return fromStoredJson(sealer.open(sealed, context)) as Board;
      } catch (error) {
        log.warn({ err: error }, "the status snapshot can't be opened: it is left aside");
        return null;
      }
    },
    async write(board) {
      const text = toStoredJson({ ...board, readAt: null });
      if (text === written) return;
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const draft = await open(`${file}.new`, "w", 0o600);
      try {
        await draft.writeFile(sealer.seal(toStoredJson(board), context));
        await draft.sync();
      } finally {
        await draft.close();
      }
      await rename(`${file}.new`, file);
      await syncDirectory(directory);
      written = text;
    },
  };
};
