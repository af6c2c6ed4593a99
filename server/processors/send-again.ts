import { setTimeout as sleep } from "node:timers/promises";
import type { JsonReply, JsonRequest, Transport } from "./request-json.ts";

/** @param withinMs the time that is left, if less than the default. */
export type Send = (call: JsonRequest, withinMs?: number) => Promise<{ reply: JsonReply; isRepeat: boolean }>;

const pauseMs = 100;

/** Repeats the request once if this may help and there is time. This is safe, because the key is the same. */
export const sender =
  (transport: Transport, totalMs: number): Send =>
  async (call, withinMs = totalMs) => {
    const deadline = performance.now() + Math.min(withinMs, totalMs);
    const first = await transport.request(call, deadline);
    if (!isWorthRepeating(first) || performance.now() + pauseMs >= deadline) return { reply: first, isRepeat: false };
    await sleep(pauseMs);
    return { reply: await transport.request(call, deadline), isRepeat: true };
  };

/** A 5xx or a connection that broke before the deadline may be temporary. After a time-out, no time is left. */
const isWorthRepeating = (reply: JsonReply): boolean =>
  reply.kind === "broken" || (reply.kind === "reply" && reply.status >= 500);
