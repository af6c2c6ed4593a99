import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { Config } from "../deps/config.ts";
import { connections } from "./connections.fixture.ts";
import { type Listening, listen } from "./listen.ts";

const log = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
let listening: Listening | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listening?.close(0);
});

/** Larger than the buffers of a connection. */
const large = Buffer.alloc(64 * 1024 * 1024);

const start = async (bounds: Partial<Config["connections"]>) => {
  const answers: ServerResponse[] = [];
  listening = await listen(
    async (incoming, outgoing) => {
      answers.push(outgoing);
      if (incoming.url === "/late") await sleep(1_500);
      outgoing.end(incoming.url === "/large" ? large : "done");
    },
    { port: 0, host: "127.0.0.1", baseUrl: "http://localhost", log, connections: { ...connections, ...bounds } },
  );
  return answers;
};

const open = async (octets: string): Promise<Socket> => {
  const socket = connect(listening?.port ?? 0, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.write(octets);
  return socket;
};
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
const isClosed = (socket: Socket): Promise<boolean> =>
  Promise.race([new Promise<boolean>((resolve) => socket.once("close", () => resolve(true))), sleep(20_000, false)]);

describe("slow callers", () => {
  test.each([
    ["the head of a request", "GET / HTTP/1.1\r\nhost: a\r\n"],
    ["a body", "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n12"],
  ])("a caller that never completes %s gets 408 or is disconnected", async (_, octets) => {
    await start({ headMilliseconds: 300, requestMilliseconds: 400, idleMilliseconds: 1_000 });
    const socket = await open(octets);
    expect(await Promise.race([text(socket), sleep(20_000, "still open")])).not.toBe("still open");
  });

  test("a caller that sends nothing is disconnected", async () => {
    await start({ idleMilliseconds: 300 });
    const socket = await open("");
    socket.resume();
    expect(await isClosed(socket)).toBe(true);
  });

  test("a caller that stops reading a large response is disconnected", async () => {
    const answers = await start({ idleMilliseconds: 400 });
    const socket = await open(get("/large"));
    socket.pause();
    await expect.poll(() => answers[0]?.destroyed).toBe(true);
    expect(answers[0]?.writableFinished).toBe(false);
  });

  test("a caller that waits for a slow response gets it, even beyond the idle limit", async () => {
    await start({ idleMilliseconds: 300 });
    const socket = await open(get("/late"));
    const answer = await new Promise((resolve) => {
      socket.once("data", (data) => resolve(data.toString().slice(0, 12)));
      socket.once("close", () => resolve("closed"));
    });
    expect(answer).toBe("HTTP/1.1 200");
  });

  test("a slow reader gets the whole response", async () => {
    const answers = await start({ idleMilliseconds: 4_000 });
    const socket = await open(get("/large"));
    let received = 0;
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length;
      // Reads slowly for longer than a caller may be silent, then as fast as it can.
      if (received > 16_000_000) return;
      socket.pause();
      setTimeout(() => socket.resume(), 20);
    });
    await expect.poll(() => received > large.length).toBe(true);
    expect(answers[0]?.writableFinished).toBe(true);
  });
});

test("connections above the limit are closed immediately; a new one is accepted once an earlier one has ended", async () => {
  await start({ max: 2 });
  const [first] = [await open(get("/")), await open(get("/"))];
  const third = await open(get("/"));
  third.resume();
  expect(await isClosed(third)).toBe(true);
  first?.destroy();
  await expect
    .poll(
      async () => {
        const socket = await open(get("/"));
        return new Promise((resolve) => {
          socket.once("data", (data) => resolve(data.toString().slice(0, 12)));
          socket.once("close", () => resolve("closed"));
        });
      },
      { timeout: 20_000 },
    )
    .toBe("HTTP/1.1 200");
});
