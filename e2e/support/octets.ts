import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { readAnswer } from "./read-answer.ts";
import { type Answer, parse } from "./wire.ts";

/**
 * Sends octets that no client library would, a character of `octets` each, and reads until the server closes.
 * @throws Error where no answer came.
 */
export const sendOctets = async (url: string, octets: string): Promise<Answer> => {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", timeout: 30_000 });
  socket.on("timeout", () => socket.destroy(new Error("neither answered nor closed within 30 s")));
  socket.write(octets, "latin1");
  const read = readAnswer(await buffer(socket), octets.split(" ", 1)[0] ?? "", true);
  if (!read) throw new Error("closed without an answer");
  const { status, headers, body } = read.answer;
  return { status, headers, text: body.toString(), json: parse(body.toString()) };
};
