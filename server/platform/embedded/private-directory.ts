import type { Stats } from "node:fs";
import { chmod, lstat, mkdir, readdir, stat } from "node:fs/promises";
import path from "node:path";

/**
 * Creates a directory whose content only its owner can read: directories 0700, files 0600, including those that an
 * earlier version created with other modes. It only removes rights of group and others, and only where this user may
 * change them. Links aren't changed, nor are another user's files, such as a volume's `lost+found`.
 */
export const makePrivate = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const found = await stat(directory);
  // A directory with the sticky bit, such as /tmp, is shared and stays open.
  if ((found.mode & 0o1000) === 0) await makeDirectoryPrivate(directory, found);
};

const makeDirectoryPrivate = async (directory: string, found: Stats): Promise<void> => {
  await restrictMode(directory, found);
  for (const name of await readdir(directory)) {
    const file = path.join(directory, name);
    const entry = await find(file);
    if (!entry || !isOurs(entry)) continue;
    // PostgreSQL creates files with the permissions of their directory.
    if (entry.isDirectory() && !name.startsWith("postgres"))
      await makeDirectoryPrivate(file, entry).catch(ignoreMissing);
    else if (entry.isDirectory() || entry.isFile() || entry.isSocket()) await restrictMode(file, entry);
  }
};

const restrictMode = async (file: string, found: Stats): Promise<void> => {
  if (isOurs(found) && (found.mode & 0o077) !== 0) await chmod(file, found.mode & 0o7700).catch(ignoreMissing);
};

/** @returns null if another process has removed it. */
const find = (file: string): Promise<Stats | null> =>
  lstat(file).catch((error) => {
    ignoreMissing(error);
    return null;
  });

/** Only its owner and root may change a mode (chmod(2)). */
const isOurs = ({ uid }: Stats): boolean => {
  const own = process.getuid?.();
  return own === undefined || own === 0 || own === uid;
};

const ignoreMissing = (error: NodeJS.ErrnoException): void => {
  if (error.code !== "ENOENT") throw error;
};
