import { z } from "zod";
import { createMerchant } from "../../merchants/create-merchant.ts";
import { accountProcedure, router } from "../init.ts";
import { merchantDetails } from "./merchant-fields.ts";

/** New merchants (docs/spec/portal.md, Start selling). */
export const merchantsRouter = router({
  /** A repeated call with the same key returns the same merchant. */
  create: accountProcedure("merchant.create")
    .input(merchantDetails.extend({ key: z.string().regex(/^[\w-]{16,64}$/) }))
    .mutation(async ({ ctx, input: { key, ...details } }) => {
      const { requestId } = ctx.info;
      const { merchantId } = await createMerchant(ctx.deps, { accountId: ctx.account.id, key, details, requestId });
      return { merchantId };
    }),
});
