import type { Log } from "../../deps/deps.ts";
import type { Sealer } from "../../kernel/crypto/seal.ts";
import { type Board, emptyBoard } from "../rules/board.ts";
import { openSealedFile } from "./sealed-file.ts";
import { fromStoredJson, toStoredJson } from "./stored-json.ts";

/** The board as last read, encrypted because it holds subscribers and drafts. */
export type Snapshot = {
  /** @returns null if there is no snapshot, or if this process can't decrypt it. */
  read(): Promise<Board | null>;
  /** Atomic. Writes nothing if only `readAt` has changed. */
  write(board: Board): Promise<void>;
};

export const openSnapshot = (options: { directory: string; sealer: Sealer; log: Log }): Snapshot => {
  const file = openSealedFile({ ...options, name: "snapshot", context: "board:2" });
  let written: string | null = null;
  return {
    async read() {
      const text = await file.read();
      // An older snapshot may lack newer fields.
      return text === null ? null : { ...emptyBoard(new Date(0)), ...(fromStoredJson(text) as Board) };
    },
    async write(board) {
      const text = toStoredJson({ ...board, readAt: null });
      if (text === written) return;
      await file.write(toStoredJson(board));
      written = text;
    },
  };
};
