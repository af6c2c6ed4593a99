import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

const directory = path.resolve("prisma/migrations");

/** @returns the names of all migrations, in order. Every process starts in the project root. */
export const listMigrationNames = async (): Promise<string[]> => {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
};

/** @returns the checksum of each migration as Prisma records it when it applies one: SHA-256 of the file, in hex. */
export const hashMigrations = async (): Promise<Map<string, string>> => {
  const names = await listMigrationNames();
  const hashes = names.map(async (name): Promise<[string, string]> => {
    const sql = await readFile(path.join(directory, name, "migration.sql"));
    return [name, createHash("sha256").update(sql).digest("hex")];
  });
  return new Map(await Promise.all(hashes));
};
