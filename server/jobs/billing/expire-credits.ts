import { expireCredits } from "../../billing/credits/expire-credits.ts";
import type { Tick } from "../job.ts";

const batchSize = 100;

/** Ends prepaid and promotional credits that have expired (docs/spec/billing.md, Credits). */
export const expireCreditsTick: Tick = {
  name: "expire-credits",
  intervalMilliseconds: 5_000,
  async isDue({ creditsExpireAt }, { businessClock }) {
    if (creditsExpireAt === null) return false;
    const until = await businessClock.dueUntil();
    return until !== null && creditsExpireAt <= until;
  },
  async run(deps) {
    const done = await expireCredits(deps, { limit: batchSize });
    return { done, hasMore: done === batchSize };
  },
};
