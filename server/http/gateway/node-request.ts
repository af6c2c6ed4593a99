import type { IncomingMessage, ServerResponse } from "node:http";
import { maxBodyBytes } from "../../contract/body/form.ts";
import type { Answer, EndpointRequest } from "../../contract/endpoint.ts";

/** How long a caller who was answered before its body came may send nothing, while some of it is still to come. */
const patienceMilliseconds = 2_000;

/** Characters that stand in every address for themselves. */
const plainTarget = /^\/[\w.~/-]*(?:\?[\w.~=&-]*)?$/;

/**
 * The request as a web Request would tell it, read where Node's message holds it: making a web Request, and a Response
 * out of an answer, costs as much as half of the checks of a token.
 * @param message its target normalized and its client's address set.
 * @returns null where that takes more than reading: an address to be parsed, a header sent twice, a body of unknown length
 *   or too large a one.
 */
export const readNodeRequest = (message: IncomingMessage, origin: string): EndpointRequest | null => {
  const { url = "", method = "", headers, rawHeaders } = message;
  const length = headers["content-length"];
  const isRepeated = Object.keys(headers).length * 2 !== rawHeaders.length;
  if (
    isRepeated ||
    headers["transfer-encoding"] !== undefined ||
    Number(length ?? 0) > maxBodyBytes ||
    !plainTarget.test(url)
  ) {
    return null;
  }
  return {
    method,
    url: origin + url,
    headers: new NodeHeaders(rawHeaders),
    body: null,
    arrayBuffer: () => readAnnounced(message, Number(length ?? 0)),
  };
};

/** Reads by one name at a time what Node received; each name stands there once. */
class NodeHeaders {
  readonly #raw: readonly string[];

  /** @param raw names and values in turn. */
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

/** @throws Error where the caller goes away before all of it came. */
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

/** @param common headers of every answer, each at its place unless the answer has one of that name. */
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
    if (body !== null)
      fields.push("Content-Length", String(typeof body === "string" ? Buffer.byteLength(body) : body.byteLength));
    endBehindBody(outgoing.writeHead(status, fields), body);
  };
};

/**
 * The answer goes out at once. Whatever else the request brings is read before the connection may end: closed while there is
 * something to read, it is reset, and takes the answer with it (RFC 9112 §9.6). Who sends nothing for a while is not waited
 * for; who never comes to an end meets the server's `requestTimeout`.
 */
export const endBehindBody = (outgoing: ServerResponse, body: string | Uint8Array | null): void => {
  const message = outgoing.req;
  if (message.complete) {
    outgoing.end(body ?? undefined);
    return;
  }
  // What answers HEAD is no more than its head, which `write` would keep back.
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
  // Behind the reading of what has come: a busy process is late, and the next request may wait on this connection already.
  const patience = setTimeout(() => setImmediate(endIfQuiet), patienceMilliseconds).unref();
};
