import type { ServerResponse } from "node:http";
import { holdHead } from "../hold-head.ts";

type Body = string | Uint8Array;

type Options = {
  /** Called when only the head of the response is known. A response that isn't held is sent as it is written. */
  isHeld(): boolean;
  /**
   * Called when the response is complete. It changes the head of the response.
   * @param body as Next wrote it, possibly compressed.
   * @returns the body to send instead; null to send the response unchanged, as after an error
   */
  replace(body: Buffer): Promise<Body | null>;
};

/** Holds back a page of Next until the page is complete, so that another one can be sent instead. */
export const holdPage = (outgoing: ServerResponse, { isHeld, replace }: Options): void => {
  const send = sendersOf(outgoing);
  const chunks: Buffer[] = [];
  let state: "undecided" | "held" | "sent" = "undecided";

  const keep = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === "string") chunks.push(Buffer.from(chunk, encoding as BufferEncoding | undefined));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const release = (body: Body): void => {
    state = "sent";
    send.writeHead(outgoing.statusCode);
    send.end(body);
  };
  const begin = (): void => {
    if (state === "undecided") outgoing.writeHead(outgoing.statusCode);
  };

  outgoing.writeHead = (status: number, ...rest: unknown[]) => {
    holdHead(outgoing, status, rest);
    // Next's compression writes the head again before each chunk, until it is sent.
    if (state === "undecided") state = isHeld() ? "held" : "sent";
    return state === "held" ? outgoing : send.writeHead(outgoing.statusCode);
  };
  outgoing.flushHeaders = () => {
    begin();
    if (state === "sent") send.flushHeaders();
  };
  outgoing.write = (chunk: unknown, ...rest: unknown[]) => {
    begin();
    if (state === "sent") return send.write(chunk, ...rest);
    keep(chunk, rest[0]);
    for (const written of rest) if (typeof written === "function") process.nextTick(written);
    return true;
  };
  outgoing.end = (...args: unknown[]) => {
    begin();
    if (state === "sent") return send.end(...args);
    const [chunk, encoding] = args;
    keep(chunk, encoding);
    const done = args.at(-1);
    if (typeof done === "function") outgoing.once("finish", () => done());
    const body = Buffer.concat(chunks);
    replace(body).then(
      (other) => release(other ?? body),
      () => release(body),
    );
    return outgoing;
  };
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
