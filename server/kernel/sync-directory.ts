import { open } from "node:fs/promises";

/** A new file's name is durable only after its directory is synced. */
export const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
