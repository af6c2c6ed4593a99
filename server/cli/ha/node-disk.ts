import { execFile } from "node:child_process";
import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A file system in memory that holds only the data of one database node. */
export type NodeDisk = {
  /** Lowers the quota to the space in use, so that nothing more can be written. */
  fill(): Promise<void>;
  /** Restores the quota. */
  release(): Promise<void>;
  unmount(): Promise<void>;
};

/** Only the space in use takes memory. */
const quotaBytes = 2 * 1024 ** 3;
const attempts = 20;
const spareBytes = 1024 ** 2;

const inUse = async (directory: string): Promise<number> => {
  const { blocks, bfree, bsize } = await statfs(directory);
  return (blocks - bfree) * bsize;
};

/** @returns null if this process may not mount a file system. */
export const mountDisk = async (directory: string): Promise<NodeDisk | null> => {
  const options = (bytes: number): string => `size=${bytes}`;
  const resize = (bytes: number) => run("mount", ["-o", `remount,${options(bytes)}`, directory]);
  const mounted = await run("mount", ["-t", "tmpfs", "-o", `${options(quotaBytes)},mode=0700`, "paygrant", directory])
    .then(() => true)
    .catch(() => false);
  if (!mounted) return null;
  return {
    async fill() {
      for (let attempt = 1; ; attempt++) {
        try {
          await resize((await inUse(directory)) + (attempt - 1) * spareBytes);
          return;
        } catch (error) {
          // PostgreSQL wrote in the meantime, and a quota can't be lower than the space in use. So each attempt leaves
          // more space, which PostgreSQL soon fills.
          if (attempt === attempts) throw error;
          await sleep(10);
        }
      }
    },
    release: async () => void (await resize(quotaBytes)),
    // A process that is ending may still use it.
    unmount: async () => void (await run("umount", ["--lazy", directory])),
  };
};
