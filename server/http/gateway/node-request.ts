import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";
import type { Answer, EndpointRequest } from "../../contract/endpoint.ts";

/** How long a caller may pause while it sends the rest of its request body after the response. */
const patienceMilliseconds = 5_000;

/** A request target whose characters need no encoding. */
const plainTarget = /^\/[\w.~/-]*(?:\?[\w.~=&-]*)?$/;

/**
 * Builds, from Node's message, the part of a web Request that endpoints read. A complete web Request and Response would
 * add half the cost of checking a token.
 * @param message with a normalized target and the caller's IP address.
 * @returns null if the request needs a complete web Request: its target must be parsed, a header is repeated, or the
 *   length of the body is unknown. A body that is too large is refused by the endpoint, which doesn't read it.
 */
export const readNodeRequest = (message: IncomingMessage, origin: string): EndpointRequest | null => {
  const { url = "", method = "", headers, rawHeaders } = message;
  const length = headers["content-length"];
  const isRepeated = Object.keys(headers).length * 2 !== rawHeaders.length;
  if (isRepeated || headers["transfer-encoding"] !== undefined || !plainTarget.test(url)) return null;
  return {
    method,
    url: origin + url,
    headers: new NodeHeaders(rawHeaders),
    body: null,
    arrayBuffer: () => readAnnounced(message, Number(length ?? 0)),
  };
};

/** Reads headers by name from Node's raw headers; each name occurs once. */
class NodeHeaders {
  readonly #raw: readonly string[];

  /** @param raw alternating names and values. */
  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get(name: string): string | null {
    const raw = this.#raw;
    const wanted = name.toLowerCase();
    for (let index = 0; index < raw.length; index += 2) {
      const own = raw[index] ?? "";
      if (own.length !== wanted.length || own.toLowerCase() !== wanted) continue;
      return raw[index + 1] ?? "";
    }
    return null;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }
}

/** @throws Error if the caller disconnects before the whole body was received. */
const readAnnounced = (message: IncomingMessage, length: number): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let received = 0;
    message.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk);
      received += chunk.length;
      if (received === length) resolve(chunks.length === 1 ? chunk : Buffer.concat(chunks));
    });
    message.on("close", () => {
      if (received < length) reject(new Error("the connection was closed"));
    });
  });

export type AnswerWriter = (outgoing: ServerResponse, answer: Answer) => void;

/** @param common headers of every response; a header of the response itself replaces the common one of that name. */
export const answerWriter = (common: Readonly<Record<string, string>>): AnswerWriter => {
  const flat = Object.entries(common).flat();
  const places = new Map(Object.keys(common).map((name, index) => [name, 2 * index]));
  return (outgoing, { status, headers, body }) => {
    const fields = flat.slice();
    for (let index = 0; index < headers.length; index += 2) {
      const name = headers[index] ?? "";
      const value = headers[index + 1] ?? "";
      const place = places.get(name);
      if (place === undefined) fields.push(name, value);
      else fields[place + 1] = value;
    }
    if (body instanceof ReadableStream) {
      sendStream(outgoing.writeHead(status, fields), body);
      return;
    }
    if (body !== null)
      fields.push("Content-Length", String(typeof body === "string" ? Buffer.byteLength(body) : body.byteLength));
    endAfterBody(outgoing.writeHead(status, fields), body);
  };
};

/** Reads the next part when the caller has taken the last one. Stops when the caller disconnects or a part fails. */
const sendStream = (outgoing: ServerResponse, body: ReadableStream<Uint8Array>): void => {
  if (outgoing.req.method === "HEAD") {
    void body.cancel();
    outgoing.end();
    return;
  }
  // An incomplete body must not look complete: the connection is reset.
  pipeline(Readable.fromWeb(body as NodeStream<Uint8Array>), outgoing).catch(() => outgoing.destroy());
};

/**
 * The response is sent immediately. The rest of the request is read before the connection may end. If the connection
 * were closed while there is data to read, it would be reset, and the response would be lost (RFC 9112 §9.6). The
 * connection ends if the caller pauses for 5 seconds. The server's `requestTimeout` ends the connection of a
 * caller that never stops sending.
 */
export const endAfterBody = (outgoing: ServerResponse, body: string | Uint8Array | null): void => {
  const message = outgoing.req;
  if (message.complete) {
    outgoing.end(body ?? undefined);
    return;
  }
  // Without a body, as in a response to HEAD, `write` wouldn't send the headers.
  if (body === null || message.method === "HEAD") outgoing.flushHeaders();
  else outgoing.write(body);
  let heardAt = performance.now();
  message.on("data", () => {
    heardAt = performance.now();
  });
  message.resume();
  const end = () => {
    clearTimeout(patience);
    outgoing.end();
    if (!message.complete) message.socket.destroySoon();
  };
  message.once("end", end);
  const endIfQuiet = () => {
    if (performance.now() - heardAt < patienceMilliseconds) patience.refresh();
    else end();
  };
  // Runs after all data that has arrived is read: in a busy process, the next request may already be waiting on this
  // connection.
  const patience = setTimeout(() => setImmediate(endIfQuiet), patienceMilliseconds).unref();
};
