import { z } from "zod";
import { emailAddressPattern } from "../../kernel/text/email-address.ts";
import { invitedRoles } from "../../merchants/rules/team-changes.ts";
import { cancelInvitation } from "../../merchants/team/cancel-invitation.ts";
import { changeMember } from "../../merchants/team/change-member.ts";
import { getTeam } from "../../merchants/team/get-team.ts";
import { inviteMember } from "../../merchants/team/invite-member.ts";
import { joinTeam } from "../../merchants/team/join-team.ts";
import { resendInvitation } from "../../merchants/team/resend-invitation.ts";
import { transferOwnership } from "../../merchants/team/transfer-ownership.ts";
import { accountProcedure, byMerchant, inputMerchant, memberProcedure, pageFields, router } from "../init.ts";

const byMember = byMerchant.extend({ accountId: z.string().max(64) });
const byInvitation = byMerchant.extend({ invitationId: z.string().max(64) });
const email = z
  .string()
  .trim()
  .pipe(z.email({ pattern: emailAddressPattern, error: "Enter an e-mail address." }));

/** The people who work for a merchant (docs/spec/portal.md, Team). */
export const teamRouter = router({
  list: memberProcedure("team.list", inputMerchant)
    .input(byMerchant.extend({ search: z.string().max(100).optional(), ...pageFields(50) }))
    .query(async ({ ctx, input }) => {
      const { members, hasMore, invitations } = await getTeam(ctx.deps, input);
      const now = ctx.deps.clock.now();
      return {
        members: members.map((member) => ({ ...member, since: member.since.toISOString() })),
        hasMore,
        invitations: invitations.map(({ id, email, role, sentAt, expiresAt }) => ({
          id,
          email,
          role,
          sentAt: sentAt.toISOString(),
          expiresAt: expiresAt.toISOString(),
          isExpired: expiresAt <= now,
        })),
      };
    }),

  invite: memberProcedure("team.invite", inputMerchant)
    .input(byMerchant.extend({ email, role: z.enum(invitedRoles, "Choose a role.") }))
    .mutation(({ ctx, input }) => inviteMember(ctx.deps, { ...input, ...ctx.by })),

  resend: memberProcedure("team.resend", inputMerchant)
    .input(byInvitation)
    .mutation(({ ctx, input }) => resendInvitation(ctx.deps, { ...input, ...ctx.by })),

  cancel: memberProcedure("team.cancel", inputMerchant)
    .input(byInvitation)
    .mutation(({ ctx, input }) => cancelInvitation(ctx.deps, { ...input, ...ctx.by })),

  changeRole: memberProcedure("team.change_role", inputMerchant)
    .input(byMember.extend({ role: z.enum(["owner", ...invitedRoles]) }))
    .mutation(({ ctx, input }) => changeMember(ctx.deps, { ...input, ...ctx.by })),

  remove: memberProcedure("team.remove", inputMerchant)
    .input(byMember)
    .mutation(({ ctx, input }) => changeMember(ctx.deps, { ...input, role: null, ...ctx.by })),

  leave: memberProcedure("team.leave", inputMerchant)
    .input(byMerchant)
    .mutation(({ ctx, input }) =>
      changeMember(ctx.deps, { ...input, accountId: ctx.by.actor.id, role: null, ...ctx.by }),
    ),

  transfer: memberProcedure("team.transfer", inputMerchant)
    .input(byMember)
    .mutation(({ ctx, input }) => transferOwnership(ctx.deps, { ...input, ...ctx.by })),

  /** Called by the person who opened the link. */
  accept: accountProcedure("invitation.accept")
    .input(z.object({ token: z.string().max(100) }))
    .mutation(({ ctx, input }) =>
      joinTeam(ctx.deps, { ...input, accountId: ctx.account.id, requestId: ctx.info.requestId }),
    ),
});
