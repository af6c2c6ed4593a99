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
import { byMerchant, inputMerchant, memberProcedure, pageFields, router } from "../init.ts";
import { toApp, toInitialToken } from "./app-views.ts";
import { byToken, newToken, requestedScopes } from "./initial-token-fields.ts";

const findTokenMerchant = async (deps: Deps, input: unknown): Promise<string | null> => {
  const parsed = byToken.safeParse(input);
  return parsed.success ? findInitialAccessTokenMerchant(deps, parsed.data) : null;
};

/** The OAuth clients of a merchant, and the tokens that register more (docs/spec/portal.md, Apps and keys). */
export const appsRouter = router({
  list: memberProcedure("client.list", inputMerchant)
    .input(byMerchant.extend(pageFields()))
    .query(async ({ ctx, input }) => {
      const { clients, hasMore } = await listMerchantClients(ctx.deps, input);
      return { apps: clients.map(toApp), hasMore };
    }),

  /** The only answer with the registration access token. */
  register: memberProcedure("client.register", inputMerchant)
    .input(
      byMerchant.extend({
        name: z.string().trim().min(1).max(200),
        scopes: requestedScopes,
        jwk: z.record(z.string().max(100), z.unknown()),
      }),
    )
    .mutation(({ ctx, input }) => registerOwnClient(ctx.deps, { ...input, ...ctx.by })),

  tokens: memberProcedure("initial_token.list", inputMerchant)
    .input(byMerchant.extend(pageFields()))
    .query(async ({ ctx, input: { merchantId: ownerId, ...page } }) => {
      const { tokens, hasMore } = await listInitialAccessTokens(ctx.deps, { ownerId, ...page });
      const now = ctx.deps.clock.now();
      return { tokens: tokens.map((token) => toInitialToken(token, now)), hasMore };
    }),

  /** The only answer with the token. */
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
