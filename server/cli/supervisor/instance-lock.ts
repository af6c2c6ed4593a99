import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { makePrivate } from "../../platform/embedded/private-directory.ts";
import { commandOf } from "../../platform/embedded/process-table.ts";
import { StartError } from "./steps.ts";

export type InstanceLock = {
  /** whether the previous run was killed; processes that it started may still be running */
  wasKilled: boolean;
  release(): Promise<void>;
};

/**
 * Commands that run PostgreSQL on DATA_DIR. A second command would treat the running PostgreSQL as the remains of a
 * killed run, and stop it.
 */
const holders = /server\/cli\/(start|backup|restore|operators|plans|check-invariants)\.ts/;

/** Allows one supervisor per DATA_DIR. @throws StartError when another one is running. */
export const acquireInstanceLock = async (dataDirectory: string): Promise<InstanceLock> => {
  await makePrivate(dataDirectory);
  const file = path.join(dataDirectory, "supervisor.pid");
  const previous = Number(await readFile(file, "utf8").catch(() => ""));
  if (previous > 0 && previous !== process.pid && holders.test((await commandOf(previous)) ?? "")) {
    throw new StartError(`already running on ${dataDirectory} (process ${previous})`);
  }
  await writeFile(file, String(process.pid), { mode: 0o600 });
  return { wasKilled: previous > 0, release: () => rm(file, { force: true }) };
};
