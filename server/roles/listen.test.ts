import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { connections } from "./connections.fixture.ts";
import { type Listening, listen } from "./listen.ts";

const log = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
let listening: Listening | undefined;
let agent: http.Agent;
afterEach(async () => {
  agent.destroy();
  await listening?.close(0);
});

const start = async (milliseconds = 0) => {
  agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  listening = await listen(
    async (_incoming, outgoing) => {
      await sleep(milliseconds);
      outgoing.end("done");
    },
    { port: 0, host: "127.0.0.1", baseUrl: "http://localhost", log, connections },
  );
  return listening;
};
/** Blocks this whole process, client and server. */
const blockEventLoop = (milliseconds: number) =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
const ask = ({ port }: Listening): Promise<{ status: number; connection: string; isReused: boolean }> =>
  new Promise((resolve, reject) => {
    const request = http.get({ host: "127.0.0.1", port, agent }, (answer) => {
      answer.resume().on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          connection: answer.headers.connection ?? "",
          isReused: request.reusedSocket,
        }),
      );
    });
    request.on("error", reject);
  });
const endOf = async (work: Promise<void>) => {
  const startedAt = performance.now();
  await work;
  return performance.now() - startedAt;
};

describe("a stopping process (docs/spec/operations.md, Shutdown)", () => {
  test("answers running requests and accepts no new connections", async () => {
    const server = await start(1_500);
    const underWay = ask(server);
    await sleep(100);
    const closed = server.close(20_000);
    agent.maxSockets = 2;
    await expect(ask(server)).rejects.toThrow(/ECONNREFUSED/);
    // The request arrived earlier, and its response announces that the connection is closed.
    expect(await underWay).toMatchObject({ status: 200, connection: "close" });
    expect(await endOf(closed)).toBeLessThan(5_000);
  });

  test("answers one more request on an idle connection, and then closes the connection", async () => {
    const server = await start();
    expect(await ask(server)).toMatchObject({ status: 200, connection: "keep-alive" });
    const closed = server.close(20_000);
    expect(await ask(server)).toEqual({ status: 200, connection: "close", isReused: true });
    await closed;
  });

  test("answers a request that arrived while the process was busy", async () => {
    const server = await start();
    await ask(server);
    const closed = server.close(20_000);
    const late = ask(server);
    // The request is sent now. The process is busy until the time limit for idle connections has passed.
    await new Promise((resolve) => process.nextTick(resolve));
    blockEventLoop(1_200);
    expect(await late).toEqual({ status: 200, connection: "close", isReused: true });
    await closed;
  });

  test("waits a second for idle connections, and at most `patience` for others", async () => {
    const server = await start();
    await ask(server);
    expect(await endOf(server.close(20_000))).toBeLessThan(5_000);
    const stuck = await start(60_000);
    const lost = ask(stuck).catch((error: Error) => error.message);
    await sleep(100);
    expect(await endOf(stuck.close(500))).toBeLessThan(5_000);
    expect(await lost).toMatch(/socket hang up|ECONNRESET/);
  });
});
