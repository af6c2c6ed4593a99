import { connect, type Socket } from "node:net";
import { readAnswer } from "./answers/read-answer.ts";
import { type Answer, parse } from "./answers/wire.ts";

/**
 * Reads until the server closes the connection. The server may refuse a request and close the connection before the
 * whole body is sent. Then a write fails with EPIPE, although the answer arrived.
 */
const readUntilClosed = (socket: Socket): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    socket.on("data", (part) => parts.push(part));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") reject(error);
    });
    socket.once("close", () => resolve(Buffer.concat(parts)));
  });

/**
 * Sends octets that no client library would send, and reads until the server closes the connection. Each character of
 * `octets` is one octet; the pieces are sent separately.
 * @throws Error when there was no answer.
 */
export const sendOctets = async (url: string, octets: string | AsyncIterable<string>): Promise<Answer> => {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", timeout: 30_000 });
  socket.on("timeout", () => socket.destroy(new Error("the server didn't answer or close the connection within 30 s")));
  let method = "";
  const write = async () => {
    for await (const piece of typeof octets === "string" ? [octets] : octets) {
      method ||= piece.split(" ", 1)[0] ?? "";
      socket.write(piece, "latin1");
    }
  };
  const [bytes] = await Promise.all([readUntilClosed(socket), write()]);
  const read = readAnswer(bytes, method, true);
  if (!read) throw new Error("the server closed the connection without an answer");
  const { status, headers, body } = read.answer;
  return { status, headers, text: body.toString(), json: parse(body.toString()) };
};
