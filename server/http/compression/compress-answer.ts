import type { ServerResponse } from "node:http";
import { type BrotliCompress, constants, createBrotliCompress } from "node:zlib";
import { holdHead } from "../hold-head.ts";

/**
 * A small window of 128 KiB saves memory, because each response in progress has its own encoder. It is enough, because
 * pages are small.
 */
const settings = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_LGWIN]: 17,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};

const compressible = /^(?:text\/|application\/(?:json|javascript|manifest\+json)|image\/svg\+xml)/;

const isCompressible = (outgoing: ServerResponse): boolean =>
  outgoing.statusCode !== 204 &&
  outgoing.statusCode !== 304 &&
  !outgoing.hasHeader("content-encoding") &&
  compressible.test(String(outgoing.getHeader("content-type") ?? ""));

type Flushable = ServerResponse & { flush?: () => void };

/**
 * Compresses everything that is written to the response after this call. Next streams a page in parts and calls `flush`
 * after each one. The encoder waits while the reader is slow, and is destroyed when the connection ends early.
 */
export const compressAnswer = (outgoing: Flushable): void => {
  const send = sendersOf(outgoing);
  let encoder: BrotliCompress | null = null;

  outgoing.writeHead = (status: number, ...rest: unknown[]) => {
    holdHead(outgoing, status, rest);
    if (isCompressible(outgoing)) {
      encoder = startEncoder(outgoing, send);
      outgoing.removeHeader("content-length");
      outgoing.setHeader("content-encoding", "br");
      outgoing.appendHeader("vary", "Accept-Encoding");
    }
    return send.writeHead(status);
  };
  const writeHeadOnce = () => {
    if (!outgoing.headersSent) outgoing.writeHead(outgoing.statusCode);
  };
  outgoing.write = (chunk: unknown, ...rest: unknown[]) => {
    writeHeadOnce();
    return encoder ? encoder.write(chunk, ...(rest as [])) : send.write(chunk, ...rest);
  };
  outgoing.end = (...args: unknown[]) => {
    writeHeadOnce();
    if (!encoder) return send.end(...args);
    const done = args.at(-1);
    if (typeof done === "function") outgoing.once("finish", () => done());
    const [chunk] = args;
    encoder.end(typeof chunk === "string" || chunk instanceof Uint8Array ? chunk : undefined);
    return outgoing;
  };
  outgoing.flush = () => encoder?.flush();
};

type Senders = {
  writeHead: (status: number) => ServerResponse;
  write: (...args: unknown[]) => boolean;
  end: (...args: unknown[]) => ServerResponse;
};

/** Node's own methods, without their overloads. */
const sendersOf = (outgoing: ServerResponse): Senders => ({
  writeHead: outgoing.writeHead.bind(outgoing) as Senders["writeHead"],
  write: outgoing.write.bind(outgoing) as Senders["write"],
  end: outgoing.end.bind(outgoing) as Senders["end"],
});

/** The encoder's `drain` is passed on, because Next waits for it after a write that returned false. */
const startEncoder = (outgoing: ServerResponse, send: Senders): BrotliCompress => {
  const encoder = createBrotliCompress(settings);
  encoder.on("data", (chunk: Buffer) => {
    if (!send.write(chunk)) encoder.pause();
  });
  encoder.on("end", () => send.end());
  encoder.on("drain", () => outgoing.emit("drain"));
  encoder.on("error", () => outgoing.destroy());
  outgoing.on("drain", () => encoder.resume());
  outgoing.once("close", () => encoder.destroy());
  return encoder;
};
