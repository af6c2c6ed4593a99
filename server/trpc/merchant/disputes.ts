import { z } from "zod";
import type { DisputeObject } from "../../charges/charge/charge.wire.ts";
import { searchMerchantDisputes } from "../../charges/disputes/search-merchant-disputes.ts";
import { disputeStatuses } from "../../charges/rules/dispute.ts";
import { byMerchant, inputMerchant, memberProcedure, pageFields, readsReplica, router } from "../init.ts";

const toDispute = ({ charge_id, amount, created_at, closed_at, ...dispute }: DisputeObject) => ({
  ...dispute,
  chargeId: charge_id,
  amountMinor: amount,
  createdAt: created_at,
  closedAt: closed_at ?? null,
});

export type MerchantDispute = ReturnType<typeof toDispute>;

/** The disputes of a merchant's charges. */
export const disputesRouter = router({
  list: memberProcedure("dispute.list", inputMerchant)
    .use(readsReplica)
    .input(
      byMerchant.extend({
        search: z.string().trim().min(1).max(255).optional(),
        status: z.enum(disputeStatuses).optional(),
        ...pageFields(),
      }),
    )
    .query(async ({ ctx, input: { search = null, status = null, startingAfter = null, limit } }) => {
      const query = { merchantId: ctx.merchantId, search, status, startingAfter, limit };
      const { disputes, ...found } = await searchMerchantDisputes(ctx.deps, query);
      return { disputes: disputes.map(toDispute), ...found };
    }),
});
