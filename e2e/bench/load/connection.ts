import { connect, type Socket } from "node:net";

export type Answer = { status: number; body: Buffer };

/** One keep-alive connection with one request at a time. An answer's body is valid until the next request. */
export type Connection = { send(request: Buffer): Promise<Answer>; close(): void };

/**
 * A minimal HTTP/1.1 client for the servers that the bench starts (RFC 9112). On two cores, a complete client would use
 * more CPU time than some of the measured endpoints.
 */
export const openConnection = async (port: number): Promise<Connection> => {
  let waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null;
  const open = async (): Promise<Socket> => {
    let received: Buffer = nothing;
    const socket = await dial(port, (chunk) => {
      const bytes = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const answer = readAnswer(bytes);
      // Copied, because the next read overwrites the buffer.
      received = answer ? nothing : Buffer.from(bytes);
      if (!answer) return;
      const { resolve } = waiting ?? { resolve: () => {} };
      waiting = null;
      resolve(answer);
    });
    const fail = (error: Error) => {
      waiting?.reject(error);
      waiting = null;
    };
    socket.on("error", fail);
    socket.on("close", () => fail(new Error("the server closed the connection")));
    return socket;
  };
  let socket = await open();
  const openAgain = async (): Promise<void> => {
    socket.removeAllListeners().on("error", () => {});
    socket.destroy();
    socket = await open();
  };
  return {
    async send(request) {
      // A server closes a connection that was unused for a while (RFC 9112 §9.5).
      if (!socket.writable || socket.readableEnded) await openAgain();
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      });
    },
    close: () => socket.destroy(),
  };
};

const nothing = Buffer.alloc(0);

/**
 * @param take receives each chunk in the same buffer, which the next chunk overwrites. A stream would allocate 64 KiB
 *   per chunk.
 */
const dial = (port: number, take: (chunk: Buffer) => void): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const place = Buffer.alloc(64 * 1024);
    const callback = (length: number) => {
      take(place.subarray(0, length));
      return true;
    };
    const socket = connect({ port, host: "127.0.0.1", noDelay: true, onread: { buffer: place, callback } });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });

/** @returns null while the answer is incomplete. */
const readAnswer = (bytes: Buffer): Answer | null => {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const head = bytes.toString("latin1", 0, end);
  const status = Number(head.slice(9, 12));
  const rest = bytes.subarray(end + 4);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return rest.length < Number(length) ? null : { status, body: rest };
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    const body = joinChunks(rest);
    return body && { status, body };
  }
  return { status, body: rest };
};

/** RFC 9112 §7.1. */
const joinChunks = (bytes: Buffer): Buffer | null => {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return null;
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
};
