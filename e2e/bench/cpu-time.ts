import { readdir, readFile } from "node:fs/promises";

/** USER_HZ, which Linux fixes at 100 for /proc. */
const ticksPerSecond = 100;

type Row = { pid: number; parent: number; seconds: number; command: string };

const readRow = async (pid: string): Promise<Row | null> => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (text === null) return null;
  // The command's name may contain spaces and parentheses, so the fields are counted from the end of the name.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  // CPU time of the process and of its ended children, because a server may end a connection's process during the run.
  const ticks = [11, 12, 13, 14].reduce((total, index) => total + Number(fields[index]), 0);
  const command = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
  return { pid: Number(pid), parent: Number(fields[1]), seconds: ticks / ticksPerSecond, command };
};

/** A process and all its descendants. */
const readFamily = async (pid: number): Promise<Row[]> => {
  const names = await readdir("/proc").catch((): string[] => []);
  const rows = (await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readRow))).filter(
    (row) => row !== null,
  );
  const family = new Set([pid]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const row of rows) if (family.has(row.parent)) family.add(row.pid);
  }
  return rows.filter((row) => family.has(row.pid));
};

/**
 * CPU time of a process and all its descendants, including PostgreSQL. It depends little on the other load of the
 * machine, unlike throughput.
 * @returns NaN when there is no /proc.
 */
export const cpuSecondsOf = async (pid: number): Promise<number> => {
  const own = await readFamily(pid);
  return own.length === 0 ? Number.NaN : own.reduce((total, row) => total + row.seconds, 0);
};

/** `postgres`, a process's `--role`, or `other`: the supervisor and its helpers. */
const roleOf = async ({ pid, command }: Row): Promise<string> => {
  if (command === "postgres") return "postgres";
  const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return /\0--role\0([a-z]+)/.exec(line)?.[1] ?? "other";
};

/** The processes of a service, by their role. Empty when there is no /proc. */
const readRoles = async (pid: number): Promise<Map<string, Row[]>> => {
  const roles = new Map<string, Row[]>();
  for (const row of await readFamily(pid)) {
    const role = await roleOf(row);
    roles.set(role, [...(roles.get(role) ?? []), row]);
  }
  return roles;
};

/** The CPU time of a service in seconds, by the role of its processes. */
export const cpuSecondsByRole = async (pid: number): Promise<Map<string, number>> =>
  new Map(
    [...(await readRoles(pid))].map(([role, rows]) => [role, rows.reduce((total, { seconds }) => total + seconds, 0)]),
  );

/** The ids of a service's processes, by their role. */
export const pidsByRole = async (pid: number): Promise<Map<string, number[]>> =>
  new Map([...(await readRoles(pid))].map(([role, rows]) => [role, rows.map((row) => row.pid)]));
