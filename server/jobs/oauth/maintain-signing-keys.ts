import { maintainSigningKeys } from "../../oauth/keys/maintain-signing-keys.ts";
import type { ScheduledJob } from "../job.ts";

/**
 * Rotates each key after 30 days, does the rotations that were asked for, and deletes what has ended
 * (docs/spec/oauth.md, Signing keys).
 */
export const maintainSigningKeysJob: ScheduledJob = {
  name: "maintain-signing-keys",
  cron: "* * * * *",
  expireInSeconds: 60,
  async run(deps) {
    const steps = await maintainSigningKeys(deps, { kind: "system", id: "maintain-signing-keys" });
    return { done: steps.map(({ step, purpose }) => `${step} ${purpose}`) };
  },
};
