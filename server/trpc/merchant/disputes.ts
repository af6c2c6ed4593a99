import { z } from "zod";
import type { DisputeObject } from "../../charges/charge/charge.wire.ts";
import { listMerchantDisputes } from "../../charges/disputes/list-disputes.ts";
import { disputeStatuses } from "../../charges/rules/dispute.ts";
import { byMerchant, inputMerchant, memberProcedure, pageFields, router } from "../init.ts";

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
    .input(byMerchant.extend({ status: z.enum(disputeStatuses).optional(), ...pageFields() }))
    .query(async ({ ctx, input: { status = null, startingAfter = null, limit } }) => {
      const filters = { status, chargeId: null, createdFrom: null, createdTo: null };
      const page = { limit, startingAfter, endingBefore: null };
      const { data, has_more } = await listMerchantDisputes(ctx.deps, {
        merchantId: ctx.merchantId,
        ...filters,
        ...page,
      });
      return { disputes: data.map(toDispute), hasMore: has_more };
    }),
});
