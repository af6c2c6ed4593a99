import net, { type AddressInfo } from "node:net";

/** @returns ports that nobody listens on now; all are held until the last is known, so that they differ. */
export const findFreePorts = async (total: number): Promise<number[]> => {
  const servers = await Promise.all(
    Array.from({ length: total }, async () => {
      const server = net.createServer();
      await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
};
