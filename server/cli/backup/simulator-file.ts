import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, open, rename, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

const pieceBytes = 512 * 1024;

/**
 * A consistent copy of the simulator's records, in chunks of base64. The simulator may keep writing. Empty if there are
 * no records.
 */
export async function* readSimulator(file: string | null): AsyncGenerator<string> {
  if (file === null || !(await stat(file).catch(() => null))) return;
  const directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-books-"));
  const copy = path.join(directory, "books.sqlite");
  try {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      db.prepare("VACUUM INTO ?").run(copy);
    } finally {
      db.close();
    }
    for await (const piece of createReadStream(copy, { highWaterMark: pieceBytes })) {
      yield (piece as Buffer).toString("base64");
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Replaces the existing records completely. @param file of a simulator that isn't running. */
export const writeSimulator = async (file: string, pieces: readonly string[]): Promise<void> => {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = await open(`${file}.new`, "w", 0o600);
  try {
    for (const piece of pieces) await draft.write(Buffer.from(piece, "base64"));
    await draft.sync();
  } finally {
    await draft.close();
  }
  // The journal of the file belongs to the records that are replaced.
  for (const suffix of ["-wal", "-shm"]) await rm(`${file}${suffix}`, { force: true });
  await rename(`${file}.new`, file);
};
