import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type pg from "pg";
import { StartError } from "#server/cli/supervisor/steps.ts";

const run = promisify(execFile);

const scale = 50;
const database = "pgbench";
const maxSeconds = 300;

/** Debian installs the command beside each server version and not in PATH. */
const findCommand = async (): Promise<string> => {
  const versions = await readdir("/usr/lib/postgresql").catch((): string[] => []);
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? "pgbench" : path.join("/usr/lib/postgresql", newest, "bin/pgbench");
};

/**
 * Prepares pgbench's TPC-B-like transactions, in a separate database on the measured server. Their rate shows how fast
 * the machine is. @param client of a superuser of the server
 */
export const preparePgbench = async (
  client: pg.Client,
): Promise<{ measure(options: { clients: number; seconds: number }): Promise<number> }> => {
  const command = await findCommand();
  const { host, port, user, password } = client;
  const env = { PATH: process.env["PATH"], PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password };
  const pgbench = async (args: readonly string[]): Promise<string> => {
    const options = { env: { ...env, NODE_ENV: "production" as const }, timeout: maxSeconds * 1000 };
    return (await run(command, [...args, database], options)).stdout;
  };
  await pgbench(["--version"]).catch(() => {
    throw new StartError("pgbench is missing: install Debian's package postgresql");
  });
  await client.query(`CREATE DATABASE ${database}`);
  await pgbench(["--initialize", "--quiet", "--scale", String(scale)]);
  return {
    /** @returns transactions per second. */
    async measure({ clients, seconds }) {
      const text = await pgbench(["-M", "prepared", "-c", String(clients), "-j", "2", "-T", String(seconds)]);
      const found = /^tps = ([\d.]+)/m.exec(text)?.[1];
      if (found === undefined) throw new Error(`pgbench printed no tps:\n${text}`);
      return Number(found);
    },
  };
};
