import { z } from "zod";
import { isMerchantCategory } from "../../kernel/money/mcc.ts";
import { getMerchant } from "../../merchants/get-merchant.ts";
import { removeLogo } from "../../merchants/logo/remove-logo.ts";
import { forgetAccount } from "../../merchants/processor/forget-account.ts";
import { reviewMerchant } from "../../merchants/review-merchant.ts";
import { searchMerchants } from "../../merchants/search-merchants.ts";
import { setCategory } from "../../merchants/set-category.ts";
import { setSuspension } from "../../merchants/set-suspension.ts";
import { listInitialAccessTokens } from "../../oauth/initial-tokens/list-initial-access-tokens.ts";
import { revokeInitialAccessToken } from "../../oauth/initial-tokens/revoke-initial-access-token.ts";
import { inviteMerchant } from "../../operators/invitations/invite-merchant.ts";
import { accountProcedure, byMerchant, operatorProcedure, pageFields, readsReplica, router } from "../init.ts";
import { toInitialToken } from "../merchant/app-views.ts";
import { byToken } from "../merchant/initial-token-fields.ts";
import { operatorOf, reason } from "./operator-fields.ts";
import { toMerchant, toMerchantForOperator } from "./operator-views.ts";

/** Version of the details that the page shows. A decision about another version is refused. */
const version = z.string().max(64);
const category = z.string().refine(isMerchantCategory, "Enter a merchant category code that is in use (ISO 18245).");

/** All merchants (docs/spec/portal.md, Operator console). */
export const operatorMerchantsRouter = router({
  list: accountProcedure("registered_merchant.list")
    .use(readsReplica)
    .input(
      z.object({
        search: z.string().max(100).optional(),
        standing: z
          .enum(["active", "suspended", "pending", "declined", "not_connected", "unpaid", "no_plan"])
          .optional(),
        ...pageFields(50),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { merchants, hasMore } = await searchMerchants(ctx.deps, input);
      return { merchants: merchants.map(toMerchant), hasMore };
    }),

  get: operatorProcedure("registered_merchant.read")
    .input(byMerchant)
    .query(async ({ ctx, input }) => toMerchantForOperator(await getMerchant(ctx.deps, input))),

  suspend: operatorProcedure("registered_merchant.suspend")
    .input(byMerchant.extend({ reason }))
    .mutation(({ ctx, input }) => setSuspension(ctx.deps, { ...input, isSuspended: true, ...operatorOf(ctx) })),

  resume: operatorProcedure("registered_merchant.resume")
    .input(byMerchant.extend({ reason }))
    .mutation(({ ctx, input }) => setSuspension(ctx.deps, { ...input, isSuspended: false, ...operatorOf(ctx) })),

  /** The merchant's owners read the reason. */
  decline: operatorProcedure("registered_merchant.review")
    .input(byMerchant.extend({ version, reason }))
    .mutation(({ ctx, input }) => reviewMerchant(ctx.deps, { ...input, review: "declined", ...operatorOf(ctx) })),

  approve: operatorProcedure("registered_merchant.review")
    .input(byMerchant.extend({ version, reason }))
    .mutation(({ ctx, input }) => reviewMerchant(ctx.deps, { ...input, review: "approved", ...operatorOf(ctx) })),

  /** The mail contains the link. The address may or may not have an account. */
  invite: accountProcedure("registered_merchant.invite")
    .input(z.object({ email: z.string().trim().max(320), reason }))
    .mutation(async ({ ctx, input }) => {
      const { expiresAt } = await inviteMerchant(ctx.deps, { ...input, ...operatorOf(ctx) });
      return { expiresAt: expiresAt.toISOString() };
    }),

  /** A merchant has one category. Mandates can allow payees by category. */
  categorize: operatorProcedure("registered_merchant.categorize")
    .input(byMerchant.extend({ category, reason }))
    .mutation(({ ctx, input }) => setCategory(ctx.deps, { ...input, ...operatorOf(ctx) })),

  /** Members read the reason. `hash`: of the logo that the page showed. */
  removeLogo: operatorProcedure("registered_merchant.remove_logo")
    .input(byMerchant.extend({ hash: z.string().max(64), reason }))
    .mutation(({ ctx, input }) => removeLogo(ctx.deps, { ...input, ...operatorOf(ctx) })),

  /** The merchant can then connect a new account. */
  forgetAccount: operatorProcedure("registered_merchant.forget_account")
    .input(byMerchant.extend({ reason }))
    .mutation(({ ctx, input }) => forgetAccount(ctx.deps, { ...input, ...operatorOf(ctx) })),

  /** The initial access tokens that register the merchant's apps. */
  tokens: accountProcedure("merchant_token.list")
    .input(byMerchant.extend(pageFields()))
    .query(async ({ ctx, input: { merchantId: ownerId, ...page } }) => {
      const { tokens, hasMore } = await listInitialAccessTokens(ctx.deps, { ownerId, ...page });
      const now = ctx.deps.clock.now();
      return { tokens: tokens.map((token) => toInitialToken(token, now)), hasMore };
    }),

  revokeToken: operatorProcedure("merchant_token.revoke")
    .input(byMerchant.extend(byToken.shape).extend({ reason }))
    .mutation(({ ctx, input: { merchantId, ...input } }) =>
      revokeInitialAccessToken(ctx.deps, { ...input, ownerId: merchantId, ...operatorOf(ctx) }),
    ),
});
