import { z } from "zod";
import { blockClientKey } from "../../../oauth/blocklist/block-client-key.ts";
import { findKeyUse } from "../../../oauth/blocklist/find-key-use.ts";
import { listBlockedClientKeys } from "../../../oauth/blocklist/list-blocked-client-keys.ts";
import { unblockClientKey } from "../../../oauth/blocklist/unblock-client-key.ts";
import { accountProcedure, operatorProcedure, pageFields, router } from "../../init.ts";
import { operatorOf, reason } from "../operator-fields.ts";
import { toBlockedKey, toKeyUse } from "./operator-blocklist-views.ts";

/** A thumbprint or a public JWK; an RSA key of 4,096 bits has about 750 characters. */
const key = z.string().max(8_000);

/** Client keys that are refused everywhere (docs/spec/oauth.md, Blocked keys). */
export const operatorBlocklistRouter = router({
  list: accountProcedure("blocked_key.list")
    .input(z.object({ search: z.string().max(100).optional(), ...pageFields(50) }).prefault({}))
    .query(async ({ ctx, input }) => {
      const { keys, hasMore } = await listBlockedClientKeys(ctx.deps, input);
      return { keys: keys.map(toBlockedKey), hasMore };
    }),

  /** Changes nothing. It is a mutation, so that the key isn't sent in a URL. */
  check: accountProcedure("blocked_key.check")
    .input(z.object({ key }))
    .mutation(async ({ ctx, input }) => toKeyUse(await findKeyUse(ctx.deps, input))),

  block: accountProcedure("blocked_key.add")
    .input(z.object({ key, reason }))
    .mutation(({ ctx, input }) => blockClientKey(ctx.deps, { ...input, ...operatorOf(ctx) })),

  unblock: operatorProcedure("blocked_key.remove")
    .input(z.object({ thumbprint: z.string().max(64), reason }))
    .mutation(async ({ ctx, input }) => {
      await unblockClientKey(ctx.deps, { ...input, ...operatorOf(ctx) });
      return { ok: true };
    }),
});
