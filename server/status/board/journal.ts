import type { FileHandle } from "node:fs/promises";
import { mkdir, open, readdir, readFile, rename, unlink } from "node:fs/promises";
import path from "node:path";
import type { Log } from "../../deps/deps.ts";
import { syncDirectory } from "../../kernel/sync-directory.ts";
import type { JournalRecord } from "../rules/journal/journal-record.ts";
import { fromStoredJson, toStoredJson } from "./stored-json.ts";

/** Records that are to be replayed, oldest first. */
type Batch = {
  records: JournalRecord[];
  /** Once they are where they belong for good. */
  remove(): Promise<void>;
};

/** The status process' own decisions: each counts from the moment that it is flushed to disk. */
export type Journal = {
  /** All of them or, where it fails, perhaps some: the same records may be appended again. */
  append(records: readonly JournalRecord[]): Promise<void>;
  /** Those that were not replayed yet, oldest first. */
  pending(): JournalRecord[];
  /** What was appended until now; what comes later goes to another file. */
  take(): Promise<Batch>;
  close(): Promise<void>;
};

type Part = { file: string; records: JournalRecord[] };

const namePattern = /^journal-(\d+)\.jsonl$/;

/** Reads what earlier runs left. A run never writes to the file of another, whose last line may be torn. */
export const openJournal = async ({ directory, log }: { directory: string; log: Log }): Promise<Journal> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const parts: Part[] = [];
  const numbers = (await readdir(directory)).flatMap((name) => namePattern.exec(name)?.[1] ?? []);
  for (const number of numbers.sort((left, right) => Number(left) - Number(right))) {
    const file = path.join(directory, `journal-${number}.jsonl`);
    parts.push({ file, records: await readPart(file, log) });
  }
  let nextNumber = Math.max(0, ...numbers.map(Number)) + 1;
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
      // Half a line may stand there: nothing is written behind it.
      await end().catch(() => {});
      throw error;
    }
    part.records.push(...records);
  };

  let last: Promise<unknown> = Promise.resolve();
  /** One at a time, in the order of the calls. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };

  return {
    append: (records) => inTurn(() => write(records)),
    pending: () => parts.flatMap(({ records }) => records),
    take: () =>
      inTurn(async () => {
        await end();
        const taken = [...parts];
        return {
          records: taken.flatMap(({ records }) => records),
          remove: () =>
            inTurn(async () => {
              for (const part of taken) {
                await unlink(part.file);
                parts.splice(parts.indexOf(part), 1);
              }
            }),
        };
      }),
    close: () => inTurn(end),
  };
};

/** A last line without its end never counted. Any other that can't be read is kept for whoever wants to look. */
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
    log.error({ file, lines: damaged }, "lines of the status journal can't be read: a copy is kept");
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
