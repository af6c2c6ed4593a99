import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { answerUnreadable } from "./unreadable.ts";

const log = { debug() {}, info: vi.fn(), warn() {}, error: vi.fn(), request() {} };

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const fine: RequestListener = (_, outgoing) => void outgoing.end("fine");

const start = async (answer = fine, options: ServerOptions = {}): Promise<Socket> => {
  server = createServer(options, answer);
  server.on("clientError", (error, socket) => answerUnreadable(error, socket, { baseUrl: "http://here.test", log }));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return connect({ port, host: "127.0.0.1", allowHalfOpen: true });
};

const countConnections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

describe("data that can't be read as a request", () => {
  test("gets problem details with the logged request id, without repeating the data", async () => {
    const client = await start();
    client.write("octets of a stranger\r\n\r\n");
    const answer = await text(client);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(body)).toMatchObject({ type: "http://here.test/docs/errors#invalid_request", status: 400 });
    expect(head).toContain(`content-length: ${body.length}`);
    const requestId = /x-request-id: (req_\w{24})/.exec(head)?.[1];
    expect(log.info).toHaveBeenLastCalledWith(expect.objectContaining({ requestId, status: 400 }), expect.any(String));
    expect(JSON.stringify(log.info.mock.lastCall) + answer).not.toContain("stranger");
    expect(log.error).not.toHaveBeenCalled();
  });

  test("gets 408 if it isn't complete in time (RFC 9110 §15.5.9)", async () => {
    const client = await start(fine, { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 });
    client.write("GET / HTTP/1.1\r\nhost: here.test\r\n");
    expect(await text(client)).toMatch(/^HTTP\/1\.1 408 .*#request_timeout/s);
  });

  test("closes the connection if another response has started", async () => {
    const client = await start((_, outgoing) => void outgoing.write("half of it"));
    client.write("GET / HTTP/1.1\r\nhost: here.test\r\n\r\n");
    client.once("data", () => client.write("octets of a stranger\r\n\r\n"));
    const answer = await text(client);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  test("ends the connection even if the caller keeps its side open (RFC 9112 §9.6)", async () => {
    const client = await start();
    client.write("octets of a stranger\r\n\r\n");
    await text(client);
    expect(await countConnections()).toBe(1);
    await expect.poll(countConnections, { timeout: 3_000 }).toBe(0);
  });

  test("gets a complete response even if more data follows", async () => {
    const client = await start();
    client.write("octets of a stranger\r\n\r\n");
    client.write("x".repeat(1_000_000));
    expect(await text(client)).toMatch(/^HTTP\/1\.1 400 /);
  });
});
