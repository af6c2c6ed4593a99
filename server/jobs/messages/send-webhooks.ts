import { setTimeout as sleep } from "node:timers/promises";
import { createWebhookSender } from "../../webhooks/deliveries/send-deliveries.ts";
import type { Tick } from "../job.ts";

/**
 * A run waits at most this long for a delivery to end. After a delivery has ended, a later event of the same object may
 * be due.
 */
const roundMilliseconds = 200;
/** After a delivery has ended, a run waits this long for others to end, so that one claim refills all their slots. */
const groupingMilliseconds = 15;

/** The sender of one worker: deliveries in progress continue from run to run. */
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
        await sleep(groupingMilliseconds);
      }
      // While a delivery is in progress, its endpoint may have more due deliveries than were claimed. A claim skips
      // busy endpoints, so there may also be more if the delivery ended while the claim ran.
      return { done, hasMore: wasSending || isSending };
    },
    async end() {
      await sender.allEnded();
    },
  };
};
