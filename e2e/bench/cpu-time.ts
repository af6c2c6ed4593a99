import { readdir, readFile } from "node:fs/promises";

/** USER_HZ, which Linux fixes at 100 for /proc (proc_pid_stat(5)). */
const ticksPerSecond = 100;

type Row = { pid: number; parent: number; seconds: number };

const readRow = async (pid: string): Promise<Row | null> => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (text === null) return null;
  // The command's name may contain spaces and parentheses, so the fields are counted from the end of the name.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  // CPU time of the process and of its ended children, because a server may end a connection's process during the run.
  const ticks = [11, 12, 13, 14].reduce((total, index) => total + Number(fields[index]), 0);
  return { pid: Number(pid), parent: Number(fields[1]), seconds: ticks / ticksPerSecond };
};

/**
 * CPU time of a process and all its descendants, including PostgreSQL. It depends little on the other load of the
 * machine, unlike throughput.
 * @returns NaN when there is no /proc.
 */
export const cpuSecondsOf = async (pid: number): Promise<number> => {
  const names = await readdir("/proc").catch((): string[] => []);
  const rows = (await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readRow))).filter(
    (row) => row !== null,
  );
  const family = new Set([pid]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const row of rows) if (family.has(row.parent)) family.add(row.pid);
  }
  const own = rows.filter((row) => family.has(row.pid));
  return own.length === 0 ? Number.NaN : own.reduce((total, row) => total + row.seconds, 0);
};
