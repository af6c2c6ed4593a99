import { setTimeout as sleep } from "node:timers/promises";
import type { JsonReply, JsonRequest, Transport } from "./request-json.ts";

/** @param withinMs a time limit; the default limit applies if it is shorter. */
export type Send = (call: JsonRequest, withinMs?: number) => Promise<{ reply: JsonReply; isRepeat: boolean }>;

const pauseMs = 100;

/**
 * Repeats the request once if a repetition may succeed and there is time for it. This is safe, because the key is the
 * same.
 */
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
