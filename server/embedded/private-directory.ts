import { chmod, mkdir, readdir, stat } from "node:fs/promises";
import path from "node:path";

const isGone = (error: NodeJS.ErrnoException): void => {
  if (error.code !== "ENOENT") throw error;
};

/**
 * Makes a directory whose content only its owner can read: directories 0700, files 0600, also those that an earlier
 * version made otherwise. Links are left alone.
 */
export const makePrivate = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // One with the sticky bit, such as /tmp, is shared by everybody and not ours to close.
  if ((await stat(directory)).mode & 0o1000) return;
  await closeDirectory(directory);
};

const closeDirectory = async (directory: string): Promise<void> => {
  await chmod(directory, 0o700);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const name = path.join(directory, entry.name);
    if (entry.isFile() || entry.isSocket()) await chmod(name, 0o600).catch(isGone);
    // PostgreSQL's files have its own user, and are as private as their directory was when they were made.
    else if (entry.isDirectory() && entry.name.startsWith("postgres")) await chmod(name, 0o700).catch(isGone);
    else if (entry.isDirectory()) await closeDirectory(name).catch(isGone);
  }
};
