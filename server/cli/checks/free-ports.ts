import { randomInt } from "node:crypto";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";

/**
 * These ports are below the range that Linux and macOS use for outgoing connections. Otherwise, an outgoing connection
 * could use the port of a service that is being restarted.
 */
const range = { from: 20_000, to: 32_000 } as const;

/**
 * How long a port is reserved after it was found, so that other test runs don't find the same port before it is used.
 */
const reservedMilliseconds = 300_000;
const reservations = path.join(os.tmpdir(), `paygrant-ports-${os.userInfo().uid}`);

/** @returns false if another run has reserved this port. */
const reserve = async (port: number): Promise<boolean> => {
  const file = path.join(reservations, String(port));
  await mkdir(reservations, { recursive: true });
  const since = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (Math.abs(Date.now() - since) > reservedMilliseconds) await rm(file, { force: true });
  return writeFile(file, "", { flag: "wx" }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
      return false;
    },
  );
};

/** @returns null if the port is in use or reserved. */
const hold = async (port: number): Promise<net.Server | null> => {
  if (!(await reserve(port))) return null;
  const server = net.createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(null)).listen(port, "127.0.0.1", () => resolve(server));
  });
};

/** @returns null unless all of these ports are free. */
const holdRow = async (first: number, total: number): Promise<net.Server[] | null> => {
  const servers = await Promise.all(Array.from({ length: total }, (_, index) => hold(first + index)));
  const held = servers.filter((server) => server !== null);
  if (held.length === total) return held;
  await release(held);
  return null;
};

const release = (servers: readonly net.Server[]): Promise<unknown> =>
  Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));

/** @returns the first of `total` consecutive free ports. */
export const findFreeRow = async (total: number): Promise<number> => {
  for (;;) {
    const first = randomInt(range.from, range.to - total);
    const servers = await holdRow(first, total);
    if (!servers) continue;
    await release(servers);
    return first;
  }
};

/** @returns different free ports. Each found port is held until the last port is found. */
export const findFreePorts = async (total: number): Promise<number[]> => {
  const found = new Map<number, net.Server>();
  while (found.size < total) {
    const port = randomInt(range.from, range.to);
    const server = await hold(port);
    if (server) found.set(port, server);
  }
  await release([...found.values()]);
  return [...found.keys()];
};
