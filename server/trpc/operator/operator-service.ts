import { z } from "zod";
import { keyPurposes } from "../../kernel/key-purpose.ts";
import { listKeys } from "../../oauth/keys/list-signing-keys.ts";
import { revokeSigningKey } from "../../oauth/keys/revoke-signing-key.ts";
import { rotateSigningKey } from "../../oauth/keys/rotate-signing-key.ts";
import { listJobs } from "../../operators/list-jobs.ts";
import { listSettings } from "../../operators/list-settings.ts";
import { retryJob } from "../../operators/retry-job.ts";
import { accountProcedure, operatorProcedure, router } from "../init.ts";
import { operatorOf, reason } from "./operator-fields.ts";
import { toJobs, toSigningKey } from "./operator-service-views.ts";

/** Jobs, signing keys and settings (docs/spec/portal.md, Operator console). */
export const operatorServiceRouter = router({
  jobs: accountProcedure("job.list")
    .input(z.object({ search: z.string().max(100).optional() }))
    .query(async ({ ctx, input }) => toJobs(await listJobs(ctx.deps, input))),

  retryJob: operatorProcedure("job.retry")
    .input(z.object({ runId: z.uuid(), reason }))
    .mutation(({ ctx, input }) => retryJob(ctx.deps, { ...input, ...operatorOf(ctx) })),

  /** The settings: their names, their sources, and their values unless they are secret. */
  settings: accountProcedure("setting.list").query(({ ctx }) => listSettings(ctx.deps)),

  signingKeys: accountProcedure("signing_key.list").query(async ({ ctx }) => {
    const { keys, credentialsToWithdraw } = await listKeys(ctx.deps);
    return { keys: keys.map(toSigningKey), credentialsToWithdraw };
  }),

  rotateSigningKey: accountProcedure("signing_key.rotate")
    .input(z.object({ purpose: z.enum(keyPurposes), reason }))
    .mutation(async ({ ctx, input }) => {
      const rotation = await rotateSigningKey(ctx.deps, { ...input, ...operatorOf(ctx) });
      return { ...rotation, at: "at" in rotation ? rotation.at.toISOString() : null };
    }),

  revokeSigningKey: operatorProcedure("signing_key.revoke")
    .input(z.object({ kid: z.string().max(200), reason }))
    .mutation(({ ctx, input }) => revokeSigningKey(ctx.deps, { ...input, ...operatorOf(ctx) })),
});
