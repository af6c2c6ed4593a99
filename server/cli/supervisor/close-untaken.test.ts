import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import net from "node:net";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { findFreePorts } from "../checks/free-ports.ts";
import { closeUntaken } from "./close-untaken.ts";

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
  closeUntaken(worker.process);
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

describe("connections of processes that share a port (5-status, Shutdown)", () => {
  test("one that is offered to a process that dies is closed, and not left open", async () => {
    const [port = 0] = await findFreePorts(1);
    const worker = await launch(port);
    // Alive, and deaf: it was offered the connection and will never say that it takes it.
    worker.process.kill("SIGSTOP");
    const socket = await connect(port);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    worker.process.kill("SIGKILL");
    await closed;
    expect(socket.destroyed).toBe(true);
  });
});
