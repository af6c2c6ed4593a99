import { z } from "zod";
import { findOwnEntity } from "../../../directory/federation/find-own-entity.ts";
import { registerFederationEntity, removeFederationEntity } from "../../../directory/federation/register-entity.ts";
import { getMerchantEntryId } from "../../../directory/merchant-entries/find-merchant-entry.ts";
import { byMerchant, inputMerchant, memberProcedure, router } from "../../init.ts";
import { toOwnEntity } from "./entry-federation-views.ts";
import { ownOf } from "./own-entry.ts";

/** The federation entity of a merchant's entry (docs/spec/directory.md, OpenID Federation). */
export const entryFederationRouter = router({
  /** Null: none is registered. */
  entity: memberProcedure("directory.read", inputMerchant)
    .input(byMerchant)
    .query(async ({ ctx, input }) => {
      const entity = await findOwnEntity(ctx.deps, await getMerchantEntryId(ctx.deps, input));
      return entity && toOwnEntity(entity);
    }),

  /** `registerFederationEntity` checks the identifier. Its errors about it point to `/entity_id`. */
  register: memberProcedure("directory.change", inputMerchant)
    .input(byMerchant.extend({ entityId: z.string().trim().max(1_900, "Use at most 1900 characters.") }))
    .mutation(async ({ ctx, input: { merchantId, entityId } }) => {
      const own = ownOf(await getMerchantEntryId(ctx.deps, { merchantId }), ctx);
      const { keyThumbprints } = await registerFederationEntity(ctx.deps, { ...own, entityId });
      return { entityId, keyCount: keyThumbprints.length };
    }),

  remove: memberProcedure("directory.change", inputMerchant)
    .input(byMerchant)
    .mutation(async ({ ctx, input }) => {
      await removeFederationEntity(ctx.deps, ownOf(await getMerchantEntryId(ctx.deps, input), ctx));
      return { ok: true };
    }),
});
