import { z } from "zod";
import { searchDisputes } from "../../../charges/disputes/search-disputes.ts";
import { disputeStatuses } from "../../../charges/rules/dispute.ts";
import type { FoundDisputeRow } from "../../../data/operators/dispute-search.ts";
import { accountProcedure, pageFields, readsReplica, router } from "../../init.ts";
import { instant } from "../operator-fields.ts";

/** Plain JSON for the operator pages. */
const toFoundDispute = ({ amount, createdAt, evidenceDueAt, merchantId, merchantName, ...rest }: FoundDisputeRow) => ({
  ...rest,
  amountMinor: Number(amount),
  createdAt: createdAt.toISOString(),
  evidenceDueAt: evidenceDueAt?.toISOString() ?? null,
  merchant: { id: merchantId, name: merchantName },
});

export type OperatorFoundDispute = ReturnType<typeof toFoundDispute>;

/** Disputes of all merchants. */
export const operatorDisputesRouter = router({
  list: accountProcedure("reported_dispute.list")
    .use(readsReplica)
    .input(
      z.object({
        search: z.string().trim().min(1).max(255).optional(),
        status: z.enum(disputeStatuses).optional(),
        reason: z.string().max(100).optional(),
        from: instant.optional(),
        to: instant.optional(),
        ...pageFields(50),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { disputes, ...found } = await searchDisputes(ctx.deps, input);
      return { disputes: disputes.map(toFoundDispute), ...found };
    }),
});
