import { setTimeout as sleep } from "node:timers/promises";
import { createWebhookSender } from "../../webhooks/deliveries/send-deliveries.ts";
import type { Tick } from "../job.ts";

/** A later event of the same object waits for the one before, a slow answer lets the next round begin without it. */
const roundMilliseconds = 200;
/** Those that end together make room by one claim. */
const togetherMilliseconds = 15;

/** One worker's: what it has under way goes on from run to run. */
export const createSendWebhooksTick = (): Tick => {
  const sender = createWebhookSender();
  return {
    name: "send-webhooks",
    intervalMilliseconds: 1_000,
    offsetMilliseconds: 500,
    isDue: ({ webhooks }) => webhooks,
    async run(deps) {
      const wasSending = sender.isSending();
      const done = await sender.begin(deps);
      const isSending = sender.isSending();
      if (isSending) {
        await Promise.race([sender.oneEnded(), sleep(roundMilliseconds)]);
        await sleep(togetherMilliseconds);
      }
      // While something is under way its endpoint may have more to send than it was given, and so it may where that has
      // ended during the claim, which left the endpoint out.
      return { done, hasMore: wasSending || isSending };
    },
    async end() {
      await sender.allEnded();
    },
  };
};
