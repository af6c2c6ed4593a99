import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { readAnswer, type WireAnswer } from "../support/answers/read-answer.ts";

/**
 * Octets to send. `isWhole`: the body is complete according to the request's headers, so the server must respond
 * without waiting for more octets.
 */
export type Outgoing = { pieces: readonly Buffer[]; method: string; isWhole: boolean };

/** The result of a request: the responses, and how long the last one took. */
export type Exchange = { answers: WireAnswer[]; milliseconds: number };

export class Hang extends Error {}

/** A response that takes longer counts as missing. Even a busy machine responds within this time. */
const usualPatienceMilliseconds = 15_000;
/** After this time the client ends the stream, in case the server waits for the rest of a request. */
const pauseMilliseconds = 150;

type Heard = { answers: WireAnswer[]; rest: Buffer; isClosed: boolean; failure: unknown };

/**
 * @returns a function that takes the index of a response and returns the method of its request, which decides how the
 *   response is parsed. There can be several requests, because a mutation may have added some.
 */
const methodsOf = ({ pieces, method }: Outgoing): ((index: number) => string) => {
  const lines = Buffer.concat(pieces)
    .toString("latin1")
    .matchAll(/^([A-Z]+) \S+ HTTP\/1\.1\r$/gm);
  const [, ...further] = [...lines].map(([, name = ""]) => name);
  return (index) => (index === 0 ? method : (further[index - 1] ?? method));
};

/**
 * Reads responses from a socket.
 * @returns `settled` resolves when a whole request has a response, or when no further response can arrive.
 */
const hear = (socket: Socket, outgoing: Outgoing): { heard: Heard; settled: Promise<void> } => {
  const { isWhole } = outgoing;
  const methodOf = methodsOf(outgoing);
  const heard: Heard = { answers: [], rest: Buffer.alloc(0), isClosed: false, failure: null };
  const readNext = () => readAnswer(heard.rest, methodOf(heard.answers.length), heard.isClosed);
  const read = () => {
    try {
      for (let found = readNext(); found; found = readNext()) {
        heard.answers.push(found.answer);
        heard.rest = found.rest;
      }
    } catch (error) {
      heard.failure = error;
    }
  };
  const settled = new Promise<void>((resolve) => {
    const check = () => {
      read();
      if (heard.isClosed || heard.failure !== null || (isWhole && heard.answers.length > 0)) resolve();
    };
    const end = () => {
      heard.isClosed = true;
      check();
    };
    socket.on("data", (chunk: Buffer) => {
      heard.rest = Buffer.concat([heard.rest, chunk]);
      check();
    });
    socket.on("end", end).on("close", end);
    // A reset during a write counts as an end.
    socket.on("error", () => {});
  });
  return { heard, settled };
};

const writePieces = async (socket: Socket, pieces: readonly Buffer[], heard: Heard): Promise<void> => {
  for (const piece of pieces) {
    if (!heard.isClosed) socket.write(piece);
    if (pieces.length > 1) await sleep(1);
  }
};

/** Whether the next request may reuse the connection: every request was answered, and nothing else arrived. */
const isInOrder = ({ answers, rest, isClosed, failure }: Heard, { isWhole }: Outgoing): boolean =>
  isWhole &&
  !isClosed &&
  failure === null &&
  rest.length === 0 &&
  answers.length === 1 &&
  answers[0]?.headers.get("connection") !== "close";

/** A client that reuses its connection as long as the connection is usable. */
export const createClient = (baseUrl: string, patienceMilliseconds = usualPatienceMilliseconds) => {
  const port = Number(new URL(baseUrl).port);
  let kept: Socket | null = null;

  const dial = async (): Promise<Socket> => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
    await once(socket, "connect");
    return socket;
  };

  const leave = (socket: Socket, isReusable: boolean): void => {
    for (const event of ["data", "end", "close", "error"]) socket.removeAllListeners(event);
    socket.on("error", () => {});
    if (isReusable) kept = socket;
    else socket.resetAndDestroy();
  };

  /**
   * @throws Hang when the server doesn't answer and doesn't close the connection.
   * @throws Error when the answer isn't HTTP.
   */
  const exchange = async (outgoing: Outgoing): Promise<Exchange> => {
    const startedAt = performance.now();
    const isReused = kept !== null;
    const socket = kept ?? (await dial());
    kept = null;
    const { heard, settled } = hear(socket, outgoing);
    await writePieces(socket, outgoing.pieces, heard);
    if (!outgoing.isWhole) {
      await Promise.race([settled, sleep(pauseMilliseconds)]);
      if (!heard.isClosed) socket.end();
    }
    const inTime = await Promise.race([settled.then(() => true), sleep(patienceMilliseconds, false, { ref: false })]);
    leave(socket, inTime && isInOrder(heard, outgoing));
    if (!inTime) throw new Hang(`neither answered nor closed within ${patienceMilliseconds} ms`);
    if (heard.failure !== null) throw heard.failure;
    // A server may close an idle connection at the moment of its next use. The request is then repeated on a new
    // connection.
    if (isReused && heard.answers.length === 0) return exchange(outgoing);
    return { answers: heard.answers, milliseconds: performance.now() - startedAt };
  };

  return { exchange, close: (): void => void kept?.destroy() };
};
