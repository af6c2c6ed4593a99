import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type Received = {
  path: string;
  headers: Record<string, string>;
  body: string;
  event: { id: string; type: string; timestamp: string; sequence: number; data: Record<string, unknown> };
};

type Behaviour = (received: Received, response: http.ServerResponse) => void | Promise<void>;

/** A web server that receives webhooks. A test sets its responses. */
export type WebhookReceiver = {
  url: string;
  received: Received[];
  /** `object/sequence` of each event, in the order of arrival */
  order(): string[];
  behave(behaviour: Behaviour): void;
  close(): void;
};

/** Accepts everything. */
export const accepts: Behaviour = (_received, response) => void response.writeHead(204).end();
export const answers =
  (status: number, body = "", headers: Record<string, string> = {}): Behaviour =>
  (_received, response) =>
    void response.writeHead(status, headers).end(body);
/** Reads the request, and closes the connection without a response. */
export const loses: Behaviour = (_received, response) => void response.destroy();
export const delays =
  (milliseconds: number): Behaviour =>
  async (_received, response) => {
    await sleep(milliseconds);
    response.writeHead(200).end("late");
  };

/** @param host a loopback address; each address counts as a separate site */
export const startWebhookReceiver = async (host = "127.0.0.1"): Promise<WebhookReceiver> => {
  const received: Received[] = [];
  let behaviour = accepts;
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const one = {
      path: request.url ?? "",
      headers: request.headers as Record<string, string>,
      body,
      event: JSON.parse(body),
    };
    received.push(one);
    await behaviour(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}/hooks`,
    received,
    order: () => received.map(({ event }) => `${event.data["object"]}/${event.sequence}`),
    behave(next) {
      behaviour = next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};
