import { z } from "zod";
import { approveCharge } from "../../charges/approvals/approve-charge.ts";
import { declineCharge } from "../../charges/approvals/decline-charge.ts";
import { getApproval, listApprovals } from "../../charges/approvals/find-approvals.ts";
import { findChargePayer } from "../../charges/approvals/payer-charge.ts";
import { accountProcedure, ofInput, ownedProcedure } from "../init.ts";
import { toApproval, toApprovalDetail } from "./views.ts";

const byCharge = z.object({ chargeId: z.string().max(64) });

const chargePayer = ofInput(byCharge, findChargePayer);

/** Payments above `step_up_above`, which need the payer's approval. */
export const approvalProcedures = {
  approvals: accountProcedure("approval.list").query(async ({ ctx }) =>
    (await listApprovals(ctx.deps, { payerId: ctx.account.id })).map(toApproval),
  ),

  approval: ownedProcedure("approval.read", chargePayer)
    .input(byCharge)
    .query(async ({ ctx, input }) =>
      toApprovalDetail(await getApproval(ctx.deps, { payerId: ctx.account.id, chargeId: input.chargeId })),
    ),

  approve: ownedProcedure("approval.approve", chargePayer)
    .input(byCharge)
    .mutation(async ({ ctx, input }) => {
      const { account, authTime, acr, info } = ctx;
      const by = { payerId: account.id, proof: { authTime, acr }, requestId: info.requestId };
      const { state } = await approveCharge(ctx.deps, { chargeId: input.chargeId, ...by });
      return { state };
    }),

  decline: ownedProcedure("approval.decline", chargePayer)
    .input(byCharge)
    .mutation(async ({ ctx, input }) => {
      const by = { payerId: ctx.account.id, requestId: ctx.info.requestId };
      const { state } = await declineCharge(ctx.deps, { chargeId: input.chargeId, ...by });
      return { state };
    }),
};
