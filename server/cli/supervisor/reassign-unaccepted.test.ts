import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { findFreePorts } from "../checks/free-ports.ts";
import { reassignUnaccepted } from "./reassign-unaccepted.ts";

const launched: Worker[] = [];
const sockets: net.Socket[] = [];
afterEach(() => {
  for (const worker of launched.splice(0)) worker.process.kill("SIGKILL");
  for (const socket of sockets.splice(0)) socket.destroy();
});

const launch = async (port: number): Promise<Worker> => {
  cluster.setupPrimary({ exec: path.join(import.meta.dirname, "sharing-process.fixture.ts"), args: [String(port)] });
  const worker = cluster.fork();
  launched.push(worker);
  reassignUnaccepted(worker.process);
  await once(worker, "message");
  return worker;
};

const connect = async (port: number): Promise<net.Socket> => {
  const socket = net.connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write("unread\n");
  return socket;
};

/** @returns what was received before the connection was closed */
const read = async (socket: net.Socket): Promise<string> => {
  let text = "";
  socket.on("data", (chunk) => (text += chunk));
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
  return text;
};
/** Suspends the process: connections are offered to it, and it never accepts them. */
const suspend = (worker: Worker) => worker.process.kill("SIGSTOP");

describe("connections of processes that share a port (docs/spec/operations.md, Shutdown)", () => {
  test("if a process crashes, its sibling gets the connections that it did not accept", async () => {
    const [port = 0] = await findFreePorts(1);
    const [dying, living] = [await launch(port), await launch(port)];
    suspend(dying);
    const answers = [read(await connect(port)), read(await connect(port)), read(await connect(port))];
    await Promise.any(answers);
    dying.process.kill("SIGKILL");
    const byLiving = Array(3).fill(String(living.process.pid));
    expect(await Promise.all(answers)).toEqual(byLiving);
    const later = [read(await connect(port)), read(await connect(port)), read(await connect(port))];
    expect(await Promise.all(later)).toEqual(byLiving);
  });

  test.each([
    ["both were suspended", [0, 1]],
    ["only the first was suspended", [0]],
    ["only the second was suspended", [1]],
  ])("if both processes crash, waiting connections are closed and later ones are served: %s", async (_name, deaf) => {
    const [port = 0] = await findFreePorts(1);
    const both = [await launch(port), await launch(port)];
    for (const [index, worker] of both.entries()) if (deaf.includes(index)) suspend(worker);
    const answers = [read(await connect(port)), read(await connect(port)), read(await connect(port))];
    await sleep(100);
    for (const { process } of both) process.kill("SIGKILL");
    const served = deaf.length === 1 ? String(both.find((_, index) => !deaf.includes(index))?.process.pid) : "";
    for (const answer of await Promise.all(answers)) expect(["", served]).toContain(answer);
    const next = await launch(port);
    expect(await read(await connect(port))).toBe(String(next.process.pid));
  });
});
