import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { RawReply } from "../../contract/endpoint.ts";
import { holdHead } from "../hold-head.ts";

/** A document, and the data of a page that Next's router loads. Files are not held. */
const pageTypes = /^text\/(?:html|x-component)/;

type Options = {
  /** parts of the page are sent while others are rendered, unless the page fails at once */
  isStreamed: boolean;
  /** the response to send instead of the page; null to send the page */
  replacement(): RawReply | null;
};

/**
 * Holds a page until Next has rendered all of it, because a page can still fail after its first part is written. The
 * page is then sent, or replaced by another response.
 */
export const holdPage = (outgoing: ServerResponse, { isStreamed, replacement }: Options): void => {
  const send = sendersOf(outgoing);
  const ownHeaders = outgoing.getHeaders();
  const chunks: Buffer[] = [];
  let state: "undecided" | "held" | "sent" = "undecided";

  const isHeld = (): boolean =>
    pageTypes.test(String(outgoing.getHeader("content-type") ?? "")) && (!isStreamed || outgoing.statusCode >= 500);
  const decide = (): void => {
    if (state !== "undecided") return;
    state = isHeld() ? "held" : "sent";
    if (state === "sent") send.writeHead(outgoing.statusCode);
  };
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === "string") chunks.push(Buffer.from(chunk, encoding as BufferEncoding | undefined));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const release = (): void => {
    state = "sent";
    const other = outgoing.statusCode < 300 || outgoing.statusCode >= 500 ? replacement() : null;
    if (other) replaceHead(outgoing, ownHeaders, other);
    send.writeHead(outgoing.statusCode);
    send.end(other ? other.body : Buffer.concat(chunks));
  };

  outgoing.writeHead = (status: number, ...rest: unknown[]) => {
    holdHead(outgoing, status, rest);
    decide();
    return outgoing;
  };
  outgoing.flushHeaders = () => {
    if (state === "undecided") outgoing.writeHead(outgoing.statusCode);
    if (state === "sent") send.flushHeaders();
  };
  outgoing.write = (chunk: unknown, ...rest: unknown[]) => {
    if (state === "undecided") outgoing.writeHead(outgoing.statusCode);
    if (state === "sent") return send.write(chunk, ...rest);
    keep(chunk, rest[0]);
    for (const written of rest) if (typeof written === "function") process.nextTick(written);
    return true;
  };
  outgoing.end = (...args: unknown[]) => {
    if (state === "undecided") outgoing.writeHead(outgoing.statusCode);
    if (state === "sent") return send.end(...args);
    const [chunk, encoding] = args;
    keep(chunk, encoding);
    const done = args.at(-1);
    if (typeof done === "function") outgoing.once("finish", () => done());
    // Next reports the error of a page asynchronously.
    setImmediate(release);
    return outgoing;
  };
};

/** Removes the headers of the page, and keeps those that were set before it was rendered. */
const replaceHead = (outgoing: ServerResponse, ownHeaders: OutgoingHttpHeaders, reply: RawReply): void => {
  for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
  const headers = { ...ownHeaders, ...reply.headers, "content-type": reply.contentType };
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) outgoing.setHeader(name, value);
  outgoing.statusCode = reply.status;
};

type Senders = {
  writeHead: (status: number) => ServerResponse;
  flushHeaders: () => void;
  write: (...args: unknown[]) => boolean;
  end: (...args: unknown[]) => ServerResponse;
};

/** The methods before this module replaces them, without their overloads. */
const sendersOf = (outgoing: ServerResponse): Senders => ({
  writeHead: outgoing.writeHead.bind(outgoing) as Senders["writeHead"],
  flushHeaders: outgoing.flushHeaders.bind(outgoing),
  write: outgoing.write.bind(outgoing) as Senders["write"],
  end: outgoing.end.bind(outgoing) as Senders["end"],
});
