import type { Random } from "./random.ts";

/** A request before serialization; texts are Latin-1, one character per octet. */
export type Message = {
  method: string;
  target: string;
  headers: readonly (readonly [string, string])[];
  body: Buffer;
};

/** Returns a slightly changed copy of a message. */
export type Mutation = (message: Message, random: Random) => Message;

/**
 * A serialized request. `isWhole`: the body is complete according to the request's headers, so the server must respond
 * without waiting for more octets.
 */
export type SerializedRequest = { head: string; body: Buffer; isWhole: boolean };

export const latin1 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

/** Percent-encodes octets that aren't visible ASCII. */
export const escapeForTarget = (text: string): string =>
  [...latin1(text)].map((octet) => (octet > " " && octet < "\u007f" ? octet : escapeOctet(octet))).join("");

export const escapeOctet = (octet: string): string => `%${octet.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** @param name in lower case. */
export const headersNamed = ({ headers }: Pick<Message, "headers">, name: string): string[] =>
  headers.filter(([known]) => known.toLowerCase() === name).map(([, value]) => value);

/** @param name in lower case. */
export const headerOf = (message: Pick<Message, "headers">, name: string): string | undefined =>
  headersNamed(message, name)[0];

export const withHeader = (message: Message, name: string, value: string): Message => ({
  ...message,
  headers: [...message.headers.filter(([known]) => known.toLowerCase() !== name.toLowerCase()), [name, value]],
});

const writeHead = ({ method, target, headers }: Omit<Message, "body">): string =>
  [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");

/** Delimits the body by Content-Length (RFC 9112 §6.2). */
export const write = (message: Message): SerializedRequest => {
  const framed = message.body.length > 0 || message.method === "POST" || message.method === "PUT";
  const length: [string, string][] = framed ? [["content-length", String(message.body.length)]] : [];
  return {
    head: writeHead({ ...message, headers: [...message.headers, ...length] }),
    body: message.body,
    isWhole: true,
  };
};

/** Serializes the body in chunks of the given sizes, and the rest in one chunk (RFC 9112 §7.1). */
export const writeChunked = (message: Message, sizes: readonly number[]): SerializedRequest => {
  const chunks: Buffer[] = [];
  let at = 0;
  for (const size of [...sizes, message.body.length]) {
    const chunk = message.body.subarray(at, at + size);
    at += chunk.length;
    if (chunk.length > 0) chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n"));
  }
  return {
    head: writeHead({ ...message, headers: [...message.headers, ["transfer-encoding", "chunked"]] }),
    body: Buffer.concat([...chunks, Buffer.from("0\r\n\r\n")]),
    isWhole: true,
  };
};
