import { z } from "zod";
import type { Deps } from "../../deps/deps.ts";
import { listMerchantClients } from "../../oauth/clients/list-merchant-clients.ts";
import { registerOwnClient } from "../../oauth/clients/register-own-client.ts";
import { createInitialAccessToken } from "../../oauth/initial-tokens/create-initial-access-token.ts";
import {
  findInitialAccessTokenMerchant,
  listInitialAccessTokens,
} from "../../oauth/initial-tokens/list-initial-access-tokens.ts";
import { revokeInitialAccessToken } from "../../oauth/initial-tokens/revoke-initial-access-token.ts";
import { byMerchant, memberProcedure, ofMerchant, router } from "../init.ts";
import { toApp, toInitialToken } from "./app-views.ts";
import { askedScopes, byToken, newToken, tokenPage } from "./initial-token-fields.ts";

const ofToken = async (deps: Deps, input: unknown): Promise<string | null> => {
  const parsed = byToken.safeParse(input);
  return parsed.success ? findInitialAccessTokenMerchant(deps, parsed.data) : null;
};

/** A merchant's OAuth clients, and the tokens that register more of them (docs/spec/portal.md, Apps and keys). */
export const appsRouter = router({
  list: memberProcedure("client.list", ofMerchant)
    .input(byMerchant.extend(tokenPage.shape))
    .query(async ({ ctx, input }) => {
      const { clients, hasMore } = await listMerchantClients(ctx.deps, input);
      return { apps: clients.map(toApp), hasMore };
    }),

  /** Its registration access token is told here and never again. */
  register: memberProcedure("client.register", ofMerchant)
    .input(
      byMerchant.extend({
        name: z.string().trim().min(1).max(200),
        scopes: askedScopes,
        jwk: z.record(z.string().max(100), z.unknown()),
      }),
    )
    .mutation(({ ctx, input }) => registerOwnClient(ctx.deps, { ...input, ...ctx.by })),

  tokens: memberProcedure("initial_token.list", ofMerchant)
    .input(byMerchant.extend(tokenPage.shape))
    .query(async ({ ctx, input: { merchantId: ownerId, ...page } }) => {
      const { tokens, hasMore } = await listInitialAccessTokens(ctx.deps, { ownerId, ...page });
      const now = ctx.deps.clock.now();
      return { tokens: tokens.map((token) => toInitialToken(token, now)), hasMore };
    }),

  /** The token is told here and never again. */
  createToken: memberProcedure("initial_token.create", ofMerchant)
    .input(byMerchant.extend(newToken.shape))
    .mutation(async ({ ctx, input }) => {
      const { token, expiresAt } = await createInitialAccessToken(ctx.deps, { ...input, kind: "merchant", ...ctx.by });
      return { token, expiresAt: expiresAt.toISOString() };
    }),

  revokeToken: memberProcedure("initial_token.revoke", ofToken)
    .input(byToken)
    .mutation(({ ctx, input }) => revokeInitialAccessToken(ctx.deps, { ...input, ownerId: ctx.merchantId, ...ctx.by })),
});
