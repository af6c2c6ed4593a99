import { maintainSigningKeys } from "../../oauth/keys/maintain-signing-keys.ts";
import type { ScheduledJob } from "../job.ts";

/**
 * Rotates each key after 30 days or on request, and deletes keys whose signatures have expired
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
