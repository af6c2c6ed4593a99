import { withdrawCredentials } from "../../credentials/withdraw-credentials.ts";
import type { Tick } from "../job.ts";

const batchSize = 100;

/** This job has work only after a credential key was revoked. */
export const withdrawCredentialsTick: Tick = {
  name: "withdraw-credentials",
  intervalMilliseconds: 5_000,
  async run(deps) {
    const done = await withdrawCredentials(deps, { limit: batchSize });
    return { done, hasMore: done === batchSize };
  },
};
