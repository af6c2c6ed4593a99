import { z } from "zod";
import { createInitialAccessToken } from "../../oauth/initial-tokens/create-initial-access-token.ts";
import { listInitialAccessTokens } from "../../oauth/initial-tokens/list-initial-access-tokens.ts";
import { revokeInitialAccessToken } from "../../oauth/initial-tokens/revoke-initial-access-token.ts";
import { accountProcedure, operatorProcedure, pageFields, router } from "../init.ts";
import { toInitialToken } from "../merchant/app-views.ts";
import { byToken, newToken } from "../merchant/initial-token-fields.ts";
import { operatorOf, reason } from "./operator-fields.ts";

/** Tokens that register agents (docs/spec/oauth.md, Client registration). */
export const operatorAgentsRouter = router({
  tokens: accountProcedure("agent_token.list")
    .input(z.object({ search: z.string().max(100).optional(), ...pageFields() }))
    .query(async ({ ctx, input }) => {
      const { tokens, hasMore } = await listInitialAccessTokens(ctx.deps, { ownerId: null, ...input });
      const now = ctx.deps.clock.now();
      return { tokens: tokens.map((token) => toInitialToken(token, now)), hasMore };
    }),

  /** Only this answer contains the token. */
  createToken: accountProcedure("agent_token.create")
    .input(newToken.extend({ reason }))
    .mutation(async ({ ctx, input }) => {
      const request = { ...input, kind: "agent" as const, merchantId: null, ...operatorOf(ctx) };
      const { token, expiresAt } = await createInitialAccessToken(ctx.deps, request);
      return { token, expiresAt: expiresAt.toISOString() };
    }),

  revokeToken: operatorProcedure("agent_token.revoke")
    .input(byToken.extend({ reason }))
    .mutation(({ ctx, input }) => revokeInitialAccessToken(ctx.deps, { ...input, ownerId: null, ...operatorOf(ctx) })),
});
