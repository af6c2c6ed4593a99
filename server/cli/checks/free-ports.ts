import net, { type AddressInfo } from "node:net";

/** @throws Error where somebody listens on it. */
const hold = async (port: number): Promise<net.Server> => {
  const server = net.createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return server;
};
const portOf = (server: net.Server | undefined): number => (server?.address() as AddressInfo | undefined)?.port ?? 0;
const release = (servers: readonly net.Server[]): Promise<unknown> =>
  Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));

/** @returns ports that nobody listens on now; all are held until the last is known, so that they differ. */
export const findFreePorts = async (total: number): Promise<number[]> => {
  const servers = await Promise.all(Array.from({ length: total }, () => hold(0)));
  const ports = servers.map(portOf);
  await release(servers);
  return ports;
};

/** @returns the first of so many ports in a row that nobody listens on now. */
export const findFreeRow = async (total: number): Promise<number> => {
  for (;;) {
    const servers = [await hold(0)];
    const first = portOf(servers[0]);
    try {
      while (servers.length < total) servers.push(await hold(first + servers.length));
      return first;
    } catch {
      // One of them is somebody's.
    } finally {
      await release(servers);
    }
  }
};
