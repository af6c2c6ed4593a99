import { setTimeout as sleep } from "node:timers/promises";
import { createWebhookSender } from "../webhooks/send-deliveries.ts";
import type { Tick } from "./job.ts";

/** A later event of the same object waits for the one before, a slow answer lets the next round begin without it. */
const roundMilliseconds = 200;

/** One worker's: what it has under way goes on from run to run. */
export const createSendWebhooksTick = (): Tick => {
  const sender = createWebhookSender();
  return {
    name: "send-webhooks",
    intervalMilliseconds: 1_000,
    async run(deps) {
      const done = await sender.begin(deps);
      if (done > 0) await Promise.race([sender.oneEnded(), sleep(roundMilliseconds)]);
      return { done, hasMore: done > 0 };
    },
    async end() {
      await sender.allEnded();
    },
  };
};
