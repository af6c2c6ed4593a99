import { setTimeout as sleep } from "node:timers/promises";
import type { JsonReply, JsonRequest, Transport } from "./request-json.ts";

/** @param withinMs where less time is left than the usual. */
export type Send = (call: JsonRequest, withinMs?: number) => Promise<{ reply: JsonReply; isRepeat: boolean }>;

const pauseMs = 100;

/** Once more where that may help and the time suffices. The same key: repeating does it at most once. */
export const sender =
  (transport: Transport, totalMs: number): Send =>
  async (call, withinMs = totalMs) => {
    const deadline = performance.now() + Math.min(withinMs, totalMs);
    const first = await transport.request(call, deadline);
    if (!isWorthRepeating(first) || performance.now() + pauseMs >= deadline) return { reply: first, isRepeat: false };
    await sleep(pauseMs);
    return { reply: await transport.request(call, deadline), isRepeat: true };
  };

/** A 5xx, or a connection that broke before the deadline: both may pass. A time-out has used up the deadline. */
const isWorthRepeating = (reply: JsonReply): boolean =>
  reply.kind === "broken" || (reply.kind === "reply" && reply.status >= 500);
