import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** What authorization servers publish, by path. */
const published = new Map<string, object>();
let host: Promise<Server> | undefined;

const start = (): Promise<Server> => {
  const server = createServer((request, response) => {
    const document = published.get(request.url ?? "");
    response.writeHead(document ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(document ?? {}));
  });
  // The tests end without closing it.
  server.unref();
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
};

/** Publishes the metadata of a new authorization server on loopback. @returns its issuer. */
export const listableIssuer = async (): Promise<string> => {
  host ??= start();
  const { port } = (await host).address() as AddressInfo;
  const path = `/${randomUUID()}`;
  const issuer = `http://127.0.0.1:${port}${path}`;
  published.set(`/.well-known/oauth-authorization-server${path}`, {
    issuer,
    grant_types_supported: ["client_credentials"],
  });
  return issuer;
};
