import { z } from "zod";
import { getMandateForOperator } from "../../mandates/get-mandate-for-operator.ts";
import { resumeMandate } from "../../mandates/lifecycle/resume-mandate.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { suspendMandate } from "../../mandates/lifecycle/suspend-mandate.ts";
import { searchMandates } from "../../mandates/search-mandates.ts";
import { accountProcedure, operatorProcedure, pageFields, readsReplica, router } from "../init.ts";
import { operatorOf, reason } from "./operator-fields.ts";
import { toFoundMandate, toMandateForOperator } from "./operator-views.ts";

const byMandate = z.object({ mandateId: z.string().max(64) });
const act = byMandate.extend({ reason });

/** Mandates of all payers (docs/spec/payments.md, Mandate states). */
export const operatorMandatesRouter = router({
  list: accountProcedure("granted_mandate.list")
    .use(readsReplica)
    .input(
      z.object({
        search: z.string().trim().min(1).max(254).optional(),
        ...pageFields(50),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { mandates, ...found } = await searchMandates(ctx.deps, input);
      return { mandates: mandates.map(toFoundMandate), ...found };
    }),

  get: operatorProcedure("granted_mandate.read")
    .input(byMandate)
    .query(async ({ ctx, input }) => toMandateForOperator(await getMandateForOperator(ctx.deps, input))),

  suspend: operatorProcedure("granted_mandate.suspend")
    .input(act)
    .mutation(async ({ ctx, input }) => ({ state: await suspendMandate(ctx.deps, { ...input, ...operatorOf(ctx) }) })),

  /** Ends only a suspension by operators. A pause by the payer continues. */
  resume: operatorProcedure("granted_mandate.resume")
    .input(act)
    .mutation(async ({ ctx, input }) => ({ state: await resumeMandate(ctx.deps, { ...input, ...operatorOf(ctx) }) })),

  revoke: operatorProcedure("granted_mandate.revoke")
    .input(act)
    .mutation(async ({ ctx, input }) => ({ state: await revokeMandate(ctx.deps, { ...input, ...operatorOf(ctx) }) })),
});
