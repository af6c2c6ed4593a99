import type { FileHandle } from "node:fs/promises";
import { mkdir, open, readdir, readFile, rename, unlink } from "node:fs/promises";
import path from "node:path";
import type { Log } from "../../deps/deps.ts";
import { syncDirectory } from "../../kernel/sync-directory.ts";
import type { JournalRecord } from "../rules/journal/journal-record.ts";
import { fromStoredJson, toStoredJson } from "./stored-json.ts";

/** Records to replay, oldest first. */
type Batch = {
  records: JournalRecord[];
  /** Deletes the records from the journal. Call this once they are stored elsewhere. */
  remove(): Promise<void>;
};

/** The decisions of the status process. A record is durable once it is flushed to disk. */
export type Journal = {
  /** Appends all records. If this fails, some records may be written. Appending the same records again is safe. */
  append(records: readonly JournalRecord[]): Promise<void>;
  /** Records that haven't been replayed yet, oldest first. */
  pending(): JournalRecord[];
  /** @returns everything that was appended so far. Later records are written to another file. */
  take(): Promise<Batch>;
  close(): Promise<void>;
};

type Part = { file: string; records: JournalRecord[] };

const namePattern = /^journal-(\d+)\.jsonl$/;

/**
 * Reads the files of earlier runs. Each run writes to new files, since the last line of an earlier one may be
 * incomplete.
 */
export const openJournal = async ({ directory, log }: { directory: string; log: Log }): Promise<Journal> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { parts, lastNumber } = await readParts(directory, log);
  const writer = createWriter({ directory, parts, firstNumber: lastNumber + 1 });
  const inTurn = createQueue();
  const remove = async (taken: readonly Part[]): Promise<void> => {
    for (const part of taken) {
      await unlink(part.file);
      parts.splice(parts.indexOf(part), 1);
    }
  };
  const take = async (): Promise<Batch> => {
    await writer.end();
    const taken = [...parts];
    return { records: taken.flatMap(({ records }) => records), remove: () => inTurn(() => remove(taken)) };
  };
  return {
    append: (records) => inTurn(() => writer.write(records)),
    pending: () => parts.flatMap(({ records }) => records),
    take: () => inTurn(take),
    close: () => inTurn(writer.end),
  };
};

const readParts = async (directory: string, log: Log): Promise<{ parts: Part[]; lastNumber: number }> => {
  const parts: Part[] = [];
  const numbers = (await readdir(directory)).flatMap((name) => namePattern.exec(name)?.[1] ?? []);
  for (const number of numbers.sort((left, right) => Number(left) - Number(right))) {
    const file = path.join(directory, `journal-${number}.jsonl`);
    parts.push({ file, records: await readPart(file, log) });
  }
  return { parts, lastNumber: Math.max(0, ...numbers.map(Number)) };
};

/** Runs one task at a time, in the order of the calls. */
const createQueue = (): (<T>(task: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const run = last.then(task);
    last = run.catch(() => {});
    return run;
  };
};

/** Appends to one file, and after each `end` to a new file. Adds the files to `parts`. */
const createWriter = (options: { directory: string; parts: Part[]; firstNumber: number }) => {
  const { directory, parts } = options;
  let nextNumber = options.firstNumber;
  let current: (Part & { handle: FileHandle }) | null = null;
  const begin = async (): Promise<Part & { handle: FileHandle }> => {
    const file = path.join(directory, `journal-${String(nextNumber).padStart(9, "0")}.jsonl`);
    const handle = await open(file, "wx", 0o600);
    nextNumber += 1;
    await syncDirectory(directory);
    const part = { file, records: [], handle };
    parts.push(part);
    current = part;
    return part;
  };
  const end = async (): Promise<void> => {
    const ended = current;
    current = null;
    await ended?.handle.close();
  };
  const write = async (records: readonly JournalRecord[]): Promise<void> => {
    const part = current ?? (await begin());
    try {
      await part.handle.appendFile(records.map((record) => `${toStoredJson(record)}\n`).join(""));
      await part.handle.datasync();
    } catch (error) {
      // The file may end with an incomplete line, so nothing more is appended to it.
      await end().catch(() => {});
      throw error;
    }
    part.records.push(...records);
  };
  return { write, end };
};

/** Drops an incomplete last line, which was never durable. Keeps a copy of a file with other damaged lines. */
const readPart = async (file: string, log: Log): Promise<JournalRecord[]> => {
  const lines = (await readFile(file, "utf8")).split("\n").slice(0, -1);
  let damaged = 0;
  const records = lines.flatMap((line) => {
    try {
      return [fromStoredJson(line) as JournalRecord];
    } catch {
      damaged += 1;
      return [];
    }
  });
  if (damaged > 0) {
    log.error({ file, lines: damaged }, "status journal has damaged lines: a copy of the file is kept");
    await copyAside(file);
  }
  return records;
};

const copyAside = async (file: string): Promise<void> => {
  const draft = `${file}.damaged.new`;
  const copy = await open(draft, "w", 0o600);
  try {
    await copy.writeFile(await readFile(file));
    await copy.sync();
  } finally {
    await copy.close();
  }
  await rename(draft, `${file}.damaged`);
};
