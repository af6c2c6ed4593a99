import http from "node:http";
import type { AddressInfo } from "node:net";
import type { JWK } from "jose";

type Answering = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** A client's own web server. It serves the client's key set, or the response that a test sets. */
export type KeyServer = {
  url: string;
  /** the number of requests */
  requestCount(): number;
  serveKeys(keys: readonly JWK[], headers?: Record<string, string>): void;
  answer(next: Answering): void;
  close(): void;
};

export const startKeyServer = async (): Promise<KeyServer> => {
  let answering: Answering = (_request, response) => response.writeHead(404).end();
  let requests = 0;
  const server = http.createServer((request, response) => {
    requests += 1;
    answering(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/jwks.json`,
    requestCount: () => requests,
    serveKeys(keys, headers = {}) {
      answering = (_request, response) =>
        response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify({ keys }));
    },
    answer(next) {
      answering = next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};
