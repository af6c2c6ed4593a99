import { z } from "zod";
import { createInitialAccessToken } from "../../oauth/initial-tokens/create-initial-access-token.ts";
import {
  findInitialAccessTokenMerchant,
  listInitialAccessTokens,
} from "../../oauth/initial-tokens/list-initial-access-tokens.ts";
import { revokeInitialAccessToken } from "../../oauth/initial-tokens/revoke-initial-access-token.ts";
import { changeOwnClient } from "../../oauth/own-clients/change-own-client.ts";
import { deleteOwnClient } from "../../oauth/own-clients/delete-own-client.ts";
import { findOwnClientMerchant } from "../../oauth/own-clients/find-own-client-merchant.ts";
import { getOwnClient } from "../../oauth/own-clients/get-own-client.ts";
import { listMerchantClients } from "../../oauth/own-clients/list-merchant-clients.ts";
import { registerOwnClient } from "../../oauth/own-clients/register-own-client.ts";
import { byMerchant, inputMerchant, memberProcedure, ofInput, pageFields, router } from "../init.ts";
import { toApp, toAppDetail, toInitialToken } from "./app-views.ts";
import { byToken, newToken, requestedScopes } from "./initial-token-fields.ts";

const findTokenMerchant = ofInput(byToken, findInitialAccessTokenMerchant);

const byClient = z.object({ clientId: z.string().max(64) });

const findClientMerchant = ofInput(byClient, findOwnClientMerchant);

const name = z.string().trim().min(1).max(200);
const jwk = z.record(z.string().max(100), z.unknown());

/** The OAuth clients of a merchant, and the tokens that register more (docs/spec/portal.md, Apps and keys). */
export const appsRouter = router({
  list: memberProcedure("client.list", inputMerchant)
    .input(byMerchant.extend({ search: z.string().max(100).optional(), ...pageFields() }))
    .query(async ({ ctx, input }) => {
      const { clients, hasMore } = await listMerchantClients(ctx.deps, input);
      return { apps: clients.map(toApp), hasMore };
    }),

  /** Only this answer contains the registration access token. */
  register: memberProcedure("client.register", inputMerchant)
    .input(
      byMerchant.extend({
        name,
        scopes: requestedScopes,
        jwk,
        idempotencyKey: z.string().min(16).max(64).optional(),
      }),
    )
    .mutation(({ ctx, input }) => registerOwnClient(ctx.deps, { ...input, ...ctx.by })),

  app: memberProcedure("client.read", findClientMerchant)
    .input(byClient)
    .query(async ({ ctx, input }) =>
      toAppDetail(await getOwnClient(ctx.deps, { ...input, merchantId: ctx.merchantId })),
    ),

  edit: memberProcedure("client.update", findClientMerchant)
    .input(byClient.extend({ name, scopes: requestedScopes, jwksUri: z.string().trim().max(2000).nullable() }))
    .mutation(async ({ ctx, input: { clientId, ...edit } }) => {
      const change = { kind: "edit", ...edit } as const;
      await changeOwnClient(ctx.deps, { clientId, merchantId: ctx.merchantId, change, ...ctx.by });
      return { ok: true };
    }),

  /** The current keys stay valid unless `endsOthers` is true or they are loaded from a URL, which the key replaces. */
  addKey: memberProcedure("client.add_key", findClientMerchant)
    .input(byClient.extend({ jwk, endsOthers: z.boolean() }))
    .mutation(async ({ ctx, input: { clientId, ...key } }) => {
      const change = { kind: "add_key", ...key } as const;
      await changeOwnClient(ctx.deps, { clientId, merchantId: ctx.merchantId, change, ...ctx.by });
      return { ok: true };
    }),

  removeKey: memberProcedure("client.remove_key", findClientMerchant)
    .input(byClient.extend({ thumbprint: z.string().max(64) }))
    .mutation(async ({ ctx, input: { clientId, thumbprint } }) => {
      const change = { kind: "remove_key", thumbprint } as const;
      await changeOwnClient(ctx.deps, { clientId, merchantId: ctx.merchantId, change, ...ctx.by });
      return { ok: true };
    }),

  delete: memberProcedure("client.delete", findClientMerchant)
    .input(byClient)
    .mutation(async ({ ctx, input }) => {
      await deleteOwnClient(ctx.deps, { ...input, merchantId: ctx.merchantId, ...ctx.by });
      return { ok: true };
    }),

  tokens: memberProcedure("initial_token.list", inputMerchant)
    .input(byMerchant.extend(pageFields()))
    .query(async ({ ctx, input: { merchantId: ownerId, ...page } }) => {
      const { tokens, hasMore } = await listInitialAccessTokens(ctx.deps, { ownerId, ...page });
      const now = ctx.deps.clock.now();
      return { tokens: tokens.map((token) => toInitialToken(token, now)), hasMore };
    }),

  /** Only this answer contains the token. */
  createToken: memberProcedure("initial_token.create", inputMerchant)
    .input(byMerchant.extend(newToken.shape))
    .mutation(async ({ ctx, input }) => {
      const { token, expiresAt } = await createInitialAccessToken(ctx.deps, { ...input, kind: "merchant", ...ctx.by });
      return { token, expiresAt: expiresAt.toISOString() };
    }),

  revokeToken: memberProcedure("initial_token.revoke", findTokenMerchant)
    .input(byToken)
    .mutation(({ ctx, input }) => revokeInitialAccessToken(ctx.deps, { ...input, ownerId: ctx.merchantId, ...ctx.by })),
});
