import { setTimeout as sleep } from "node:timers/promises";
import { createWebhookSender } from "../../webhooks/deliveries/send-deliveries.ts";
import type { Tick } from "../job.ts";

/** A later event of the same object waits for the earlier one. The next round doesn't wait for slow answers. */
const roundMilliseconds = 200;
/** Deliveries that end within this time are replaced by one claim. */
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
      // While a delivery is in progress, its endpoint may have more due deliveries than were claimed. This is also
      // possible if the delivery ended during the claim, which skipped the endpoint.
      return { done, hasMore: wasSending || isSending };
    },
    async end() {
      await sender.allEnded();
    },
  };
};
