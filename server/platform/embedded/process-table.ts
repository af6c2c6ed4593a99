import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** @returns the command line of a running process; null if there is none. */
export const commandOf = async (pid: number): Promise<string | null> => {
  if (process.platform === "linux") {
    const text = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    return text === "" ? null : text.replaceAll("\0", " ");
  }
  const result = await promisify(execFile)("ps", ["-o", "args=", "-p", String(pid)]).catch(() => null);
  return result?.stdout.trim() || null;
};
