import net, { type AddressInfo } from "node:net";

export type SilentPeer = {
  /** URL of the same database through this peer */
  databaseUrl: string;
  /**
   * Open connections stay open but get no more answers. New connections are forwarded, or are silent too if `ofNewOnes`
   * is true.
   */
  silence(ofNewOnes?: boolean): void;
  /** New connections are forwarded again. */
  answer(): void;
  close(): Promise<void>;
};

/** A TCP proxy that can go silent without closing connections, like a dead host. */
export const startSilentPeer = async (databaseUrl: string): Promise<SilentPeer> => {
  const target = new URL(databaseUrl);
  const pairs = new Set<[net.Socket, net.Socket]>();
  let isSilent = false;
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname.replace(/^\[|\]$/g, ""));
    const pair: [net.Socket, net.Socket] = [client, upstream];
    pairs.add(pair);
    for (const [from, to] of [pair, pair.toReversed() as typeof pair]) {
      from.on("error", () => to.destroy()).on("close", () => to.destroy());
      if (isSilent) from.pause();
      else from.pipe(to);
    }
    upstream.on("close", () => pairs.delete(pair));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    databaseUrl: Object.assign(new URL(databaseUrl), { host: address }).href,
    silence(ofNewOnes = false) {
      isSilent = ofNewOnes;
      for (const [client, upstream] of pairs) for (const one of [client, upstream]) one.unpipe().pause();
    },
    answer() {
      isSilent = false;
    },
    async close() {
      for (const pair of pairs) for (const one of pair) one.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
