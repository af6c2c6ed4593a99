import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";

export type StandIn = { url: string; goDown(): void; comeBack(): void; close(): void };

/** What probes look at of a service, and nothing else: it is out when it is told to be. */
export const startStandIn = async (): Promise<StandIn> => {
  const { publicKey } = await generateKeyPair("ES256", { extractable: true });
  const keys = [{ ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256" }];
  let isOut = false;
  let url = "";
  const bodyOf = (path: string | undefined): string | undefined => {
    switch (path) {
      case "/healthz":
        return JSON.stringify({ status: "alive" });
      case "/readyz":
        return JSON.stringify({ status: "ready", checks: { database: true, keys: true, migrations: true } });
      case "/jwks.json":
        return JSON.stringify({ keys });
      case "/wallet":
        return "<!doctype html><title>Sign in · Paygrant</title>";
      case "/.well-known/oauth-authorization-server": {
        const names = ["authorization", "token", "pushed_authorization_request", "revocation", "introspection"];
        const endpoints = Object.fromEntries(names.map((name) => [`${name}_endpoint`, `${url}/${name}`]));
        return JSON.stringify({ issuer: url, jwks_uri: `${url}/jwks.json`, ...endpoints });
      }
      default:
        return undefined;
    }
  };
  const server: Server = createServer((request, response) => {
    if (isOut) return void request.socket.destroy();
    const body = bodyOf(request.url);
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    goDown() {
      isOut = true;
    },
    comeBack() {
      isOut = false;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};
