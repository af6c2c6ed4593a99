import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** Linux keeps the files of this directory in memory. */
const memory = "/dev/shm";
const enoughBytes = 2 * 2 ** 30;

const hasRoom = async (): Promise<boolean> => {
  const stats = await statfs(memory).catch(() => null);
  return stats !== null && stats.bavail * stats.bsize >= enoughBytes;
};

export type Scratch = {
  directory: string;
  /**
   * a directory in memory if enough memory is free, because a test database has a thousand files, and they are created
   * ten times faster in memory
   */
  inMemory: string;
  remove(): Promise<void>;
};

/** Makes the directories for the files of a run. PostgreSQL doesn't run as root and must be able to open them. */
export const makeScratch = async (): Promise<Scratch> => {
  const make = async (parent: string) => {
    const directory = await mkdtemp(path.join(parent, "paygrant-test-"));
    await chmod(directory, 0o755);
    return directory;
  };
  const directory = await make(os.tmpdir());
  const inMemory = (await hasRoom()) ? await make(memory).catch(() => directory) : directory;
  return {
    directory,
    inMemory,
    async remove() {
      for (const each of new Set([directory, inMemory])) {
        await rm(each, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
      }
    },
  };
};
