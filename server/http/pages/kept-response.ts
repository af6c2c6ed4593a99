import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { NodeHandler } from "../../contract/node-handler.ts";
import { holdHead } from "../hold-head.ts";

/** A response that isn't sent to a caller. */
class KeptResponse extends ServerResponse {
  readonly #chunks: Buffer[] = [];
  readonly #whole = Promise.withResolvers<Buffer>();
  readonly body: Promise<Buffer> = this.#whole.promise;

  override writeHead(status: number, ...rest: unknown[]): this {
    holdHead(this, status, rest);
    return this;
  }

  override flushHeaders(): void {}

  override write(chunk: string | Uint8Array): boolean {
    this.#chunks.push(Buffer.from(chunk as string));
    return true;
  }

  override end(...args: unknown[]): this {
    const [chunk] = args;
    if (typeof chunk === "string" || chunk instanceof Uint8Array) this.write(chunk);
    this.#whole.resolve(Buffer.concat(this.#chunks));
    // Next waits for this event before it releases the request.
    this.emit("finish");
    return this;
  }
}

export type Kept = { status: number; headers: OutgoingHttpHeaders; body: Buffer };

/** Renders a page without a caller. */
export const renderKept = async (
  pages: NodeHandler,
  { url, headers }: { url: string; headers: IncomingMessage["headers"] },
): Promise<Kept> => {
  const incoming = new IncomingMessage(new Socket());
  Object.assign(incoming, { method: "GET", url, headers });
  incoming.push(null);
  const outgoing = new KeptResponse(incoming);
  await pages(incoming, outgoing);
  const body = await outgoing.body;
  return { status: outgoing.statusCode, headers: outgoing.getHeaders(), body };
};
