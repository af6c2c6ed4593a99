import { createReadStream, existsSync } from "node:fs";
import { type FileHandle, link, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { z } from "zod";
import type { DumpRecord } from "../../data/schema/dump.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { createByteSealer, masterKeyFingerprint } from "../../kernel/crypto/seal.ts";
import { syncDirectory } from "../../kernel/sync-directory.ts";
import type { EnvironmentName } from "../supervisor/environments.ts";
import { StartError } from "../supervisor/steps.ts";

/**
 * The file has one line of JSON that names the environments, followed by frames. A frame has four bytes with its
 * length, one byte with the index of its environment in the first line, and compressed records. The records are sealed
 * with the environment's master key and are bound to their position in the file. So nothing can be read without the
 * keys, and every change, omission or move is detected.
 */
const headerSchema = z.object({
  format: z.literal("paygrant-backup-1"),
  id: z.string(),
  created_at: z.iso.datetime(),
  environments: z.array(
    z.object({ name: z.enum(["production", "sandbox"]), issuer: z.string(), master_key: z.string() }),
  ),
});
type Header = z.output<typeof headerSchema>;

/** A record of a backup: a record of a dump, a part of the simulator's SQLite file, or the end of the archive. */
export type ArchiveRecord = DumpRecord | { kind: "simulator"; content: string } | { kind: "end"; records: number };

export type ArchiveOwner = { name: EnvironmentName; issuer: string; masterKey: Uint8Array };

const broken = (file: string, why: string) => new StartError(`${file}: ${why}`);
const isThere = (file: string) => broken(file, "the file already exists");

const frameBytes = 1024 * 1024;
const maxFrameBytes = 512 * 1024 * 1024;
const [compress, decompress] = [promisify(gzip), promisify(gunzip)];

const sealerOf = (owner: Pick<ArchiveOwner, "masterKey">) => createByteSealer(owner.masterKey, "backup");
const contextOf = (headerLine: string, name: EnvironmentName, number: number) =>
  `backup:${sha256Base64url(headerLine)}:${name}:${number}`;

/**
 * Writes to a temporary file, which gets its final name once it is complete.
 * @throws StartError if `file` exists or can't be written.
 */
export const writeArchive = async (
  file: string,
  input: { id: string; createdAt: Date; owners: readonly ArchiveOwner[] },
  fill: (owner: ArchiveOwner, write: (record: ArchiveRecord) => Promise<void>) => Promise<void>,
): Promise<void> => {
  if (existsSync(file)) throw isThere(file);
  // A unique name, so that the file of an interrupted run doesn't block it.
  const draft = `${file}.${input.id}.part`;
  const handle = await open(draft, "wx", 0o600).catch(() => {
    throw broken(file, "it can't be written");
  });
  try {
    try {
      const header: Header = {
        format: "paygrant-backup-1",
        id: input.id,
        created_at: input.createdAt.toISOString(),
        environments: input.owners.map(({ name, issuer, masterKey }) => ({
          name,
          issuer,
          master_key: masterKeyFingerprint(masterKey),
        })),
      };
      const line = JSON.stringify(header);
      await handle.write(`${line}\n`);
      for (const [place, owner] of input.owners.entries()) await writeOwner(handle, { line, place, owner }, fill);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // If another writer has created the same file, creating a link fails. A rename would replace the other writer's
    // file.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") throw isThere(file);
      return rename(draft, file);
    });
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(path.dirname(file));
};

const writeOwner = async (
  handle: FileHandle,
  { line, place, owner }: { line: string; place: number; owner: ArchiveOwner },
  fill: Parameters<typeof writeArchive>[2],
): Promise<void> => {
  const sealer = sealerOf(owner);
  let [number, records, size] = [0, 0, 0];
  let waiting: string[] = [];
  const flush = async () => {
    const packed = await compress(waiting.join("\n"));
    const sealed = sealer.seal(packed, contextOf(line, owner.name, number));
    const start = Buffer.alloc(5);
    start.writeUInt32BE(sealed.length, 0);
    start.writeUInt8(place, 4);
    await handle.write(start);
    await handle.write(sealed);
    number += 1;
    size = 0;
    waiting = [];
  };
  const write = async (record: ArchiveRecord) => {
    const text = JSON.stringify(record);
    waiting.push(text);
    records += 1;
    size += text.length;
    if (size >= frameBytes) await flush();
  };
  await fill(owner, write);
  await write({ kind: "end", records });
  await flush();
};

/** Reads exactly the requested length, chunk by chunk. */
const readerOf = (file: string) => {
  const chunks = createReadStream(file, { highWaterMark: frameBytes })[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const { value, done } = await chunks.next();
    if (done) return false;
    rest = Buffer.concat([rest, value as Buffer]);
    return true;
  };
  const take = (length: number): Buffer => {
    const taken = rest.subarray(0, length);
    rest = rest.subarray(length);
    return taken;
  };
  return {
    /** @returns null when the file ends earlier. */
    async bytes(length: number): Promise<Buffer | null> {
      while (rest.length < length) if (!(await more())) return null;
      return take(length);
    },
    async line(): Promise<string | null> {
      while (rest.indexOf(10) < 0 && rest.length < 65_536) if (!(await more())) return null;
      const end = rest.indexOf(10);
      return end < 0 ? null : take(end + 1).toString("utf8", 0, end);
    },
    isAtEnd: async () => rest.length === 0 && !(await more()),
  };
};

const readHeader = (file: string, line: string | null): Header => {
  try {
    return headerSchema.parse(JSON.parse(line ?? ""));
  } catch {
    throw broken(file, "not a Paygrant backup");
  }
};

/** @throws StartError when it isn't a backup. */
export const describeArchive = async (file: string): Promise<Header> => readHeader(file, await readerOf(file).line());

/**
 * Reads the records of one environment in order, to the end.
 * @throws StartError if the file isn't a backup, if it doesn't have the environment, if another key sealed the records,
 *   or if records are missing or changed.
 */
export async function* readArchive(
  file: string,
  owner: Pick<ArchiveOwner, "name" | "masterKey">,
): AsyncGenerator<Exclude<ArchiveRecord, { kind: "end" }>> {
  const reader = readerOf(file);
  const line = await reader.line();
  const { environments } = readHeader(file, line);
  const place = environments.findIndex(({ name }) => name === owner.name);
  if (environments[place]?.master_key !== masterKeyFingerprint(owner.masterKey)) {
    throw broken(file, `${owner.name} was encrypted with another MASTER_KEY`);
  }
  const sealer = sealerOf(owner);
  let records = 0;
  for (let number = 0; !(await reader.isAtEnd()); ) {
    const start = await reader.bytes(5);
    const length = start?.readUInt32BE(0) ?? 0;
    const sealed = length <= maxFrameBytes ? await reader.bytes(length) : null;
    if (!start || !sealed) throw broken(file, "the file is incomplete");
    if (start.readUInt8(4) !== place) continue;
    let packed: Buffer;
    try {
      packed = sealer.open(sealed, contextOf(line ?? "", owner.name, number));
    } catch {
      throw broken(file, "the file was altered");
    }
    for (const text of (await decompress(packed)).toString("utf8").split("\n")) {
      const record = JSON.parse(text) as ArchiveRecord;
      if (record.kind === "end" && record.records === records) return;
      if (record.kind === "end") break;
      records += 1;
      yield record;
    }
    number += 1;
  }
  throw broken(file, "the file is incomplete");
}
