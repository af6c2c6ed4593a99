import { readdir } from "node:fs/promises";
import path from "node:path";

/** @returns the names of all migrations, in order. Every process starts in the project root. */
export const listMigrationNames = async (): Promise<string[]> => {
  const entries = await readdir(path.resolve("prisma/migrations"), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
};
