import { z } from "zod";
import { operatorRoles } from "../../accounts/authorize.ts";
import { inviteOperator } from "../../operators/invitations/invite-operator.ts";
import { changeOperatorRole } from "../../operators/team/change-operator-role.ts";
import { listOperators } from "../../operators/team/list-operators.ts";
import { removeOperator } from "../../operators/team/remove-operator.ts";
import { accountProcedure, operatorProcedure, pageFields, router } from "../init.ts";
import { operatorOf, reason } from "./operator-fields.ts";
import { toOperators } from "./operator-team-views.ts";

const role = z.enum(operatorRoles);
const email = z.string().trim().max(320);

/** Operators and their invitations (docs/spec/portal.md, Operators). */
export const operatorTeamRouter = router({
  list: accountProcedure("operator.list")
    .input(z.object({ search: z.string().max(100).optional(), ...pageFields(50) }).prefault({}))
    .query(async ({ ctx, input }) => toOperators(await listOperators(ctx.deps, input))),

  /** Only this answer contains the link. For an operator, the link resets the second factor. */
  invite: accountProcedure("operator.invite")
    .input(z.object({ email, role, reason }))
    .mutation(async ({ ctx, input }) => {
      const { link, expiresAt, outcome } = await inviteOperator(ctx.deps, { ...input, ...operatorOf(ctx) });
      return { link, expiresAt: expiresAt.toISOString(), outcome };
    }),

  changeRole: operatorProcedure("operator.change_role")
    .input(z.object({ accountId: z.string().max(64), role, reason }))
    .mutation(async ({ ctx, input }) => {
      await changeOperatorRole(ctx.deps, { ...input, ...operatorOf(ctx) });
      return { ok: true };
    }),

  /** An operator, or the invitation to an address. */
  remove: operatorProcedure("operator.remove")
    .input(z.object({ email, reason }))
    .mutation(({ ctx, input }) => removeOperator(ctx.deps, { ...input, ...operatorOf(ctx) })),
});
