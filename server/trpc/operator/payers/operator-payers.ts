import { z } from "zod";
import { endPayerSessions } from "../../../operators/payers/end-payer-sessions.ts";
import { getPayer } from "../../../operators/payers/get-payer.ts";
import { listPayers } from "../../../operators/payers/list-payers.ts";
import { accountProcedure, operatorProcedure, pageFields, readsReplica, router } from "../../init.ts";
import { operatorOf, reason } from "../operator-fields.ts";
import { toFoundPayer, toPayerForOperator } from "./payer-views.ts";

const byAccount = z.object({ accountId: z.string().max(64) });

/** All accounts (docs/spec/portal.md, Operator console). */
export const operatorPayersRouter = router({
  list: accountProcedure("payer.list")
    .use(readsReplica)
    .input(
      z.object({
        search: z.string().trim().min(1).max(254).optional(),
        state: z.enum(["active", "deleting", "deleted"]).optional(),
        cursor: z.string().max(64).optional(),
        limit: pageFields(50).limit,
      }),
    )
    .query(async ({ ctx, input }) => {
      const { payers, nextCursor } = await listPayers(ctx.deps, input);
      return { payers: payers.map(toFoundPayer), nextCursor };
    }),

  get: operatorProcedure("payer.read")
    .input(byAccount.extend({ appsAfter: z.string().max(64).optional() }))
    .query(async ({ ctx, input }) => toPayerForOperator(await getPayer(ctx.deps, input))),

  signOut: operatorProcedure("payer.sign_out")
    .input(byAccount.extend({ reason }))
    .mutation(({ ctx, input }) => endPayerSessions(ctx.deps, { ...input, ...operatorOf(ctx) })),
});
