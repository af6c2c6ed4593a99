import { expireCredits } from "../../billing/credits/expire-credits.ts";
import { isBusinessDue } from "../business-due.ts";
import type { Tick } from "../job.ts";

const batchSize = 100;

/** Ends prepaid and promotional credits that have expired (docs/spec/billing.md, Credits). */
export const expireCreditsTick: Tick = {
  name: "expire-credits",
  intervalMilliseconds: 5_000,
  isDue: ({ creditsExpireAt }, deps) => isBusinessDue(creditsExpireAt, deps),
  async run(deps) {
    const done = await expireCredits(deps, { limit: batchSize });
    return { done, hasMore: done === batchSize };
  },
};
