import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { endInvitationsBy } from "../../data/merchants/invitations.ts";
import { deleteMember, type MemberRole, updateMemberRole } from "../../data/merchants/members.ts";
import type { Deps } from "../../deps/deps.ts";
import { merchantPageUrl } from "../../kernel/requests/merchant-page-url.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { getLockedMerchant } from "../get-locked-merchant.ts";
import { lastOwnerRefusal, teamChangeRefusal } from "../rules/team-changes.ts";
import { getManager, getMember } from "./get-member.ts";

type Input = {
  merchantId: string;
  /** the member who is changed */
  accountId: string;
  /** null: removes the member */
  role: MemberRole | null;
  /** a member */
  actor: Actor;
  requestId: string;
};

/**
 * Changes the role of a member or removes the member. This takes effect immediately. The last owner can't be changed or
 * removed. If the member was an owner or admin and is neither now, the open invitations that they sent are canceled.
 * The member gets an e-mail, unless they made the change themselves.
 * @throws DomainError not_found, managers_only, owners_only, last_owner.
 */
export const changeMember = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { merchantId, accountId, role, actor, requestId }: Input,
): Promise<{ isNew: boolean }> =>
  deps.db.sqlTransaction(async (sql) => {
    const merchant = await getLockedMerchant(sql, merchantId);
    const member = await getMember(sql, { merchantId, accountId });
    if (member.role === role) return { isNew: false };
    const isSelf = actor.id === accountId;
    const isLeaving = isSelf && role === null;
    const by = isLeaving ? member : await getManager(sql, { merchantId, accountId: actor.id });
    const concernsOwner = role === "owner" || member.role === "owner";
    const refusal = teamChangeRefusal({ isOwner: by.role === "owner", concernsOwner });
    if (refusal) throw refusal;
    const isDone =
      role === null
        ? await deleteMember(sql, { merchantId, accountId, role: member.role })
        : await updateMemberRole(sql, { merchantId, accountId, from: member.role, to: role });
    if (!isDone) throw lastOwnerRefusal();
    const at = deps.clock.now();
    // Otherwise, a former owner or admin could return through an invitation that they sent.
    if (isManager(member.role) && !isManager(role))
      await endInvitationsBy(sql, { merchantId, invitedBy: accountId, at });
    if (!isSelf) {
      const kind = role === null ? ("team_removed" as const) : ("team_role_changed" as const);
      const dashboardUrl = merchantPageUrl(deps.config.walletUrl, merchantId, "");
      const { timeZone } = member;
      const content = { kind, merchantName: merchant.displayName, role, at, timeZone, dashboardUrl };
      await queueMail(deps, sql, { recipient: member.email, content, requestId });
    }
    await appendAudit(sql, {
      at,
      actor,
      requestId,
      subjectId: merchantId,
      action: actionOf(role, isSelf),
      data: { account_id: accountId, from: member.role, ...(role === null ? {} : { to: role }) },
    });
    return { isNew: true };
  });

const isManager = (role: MemberRole | null): boolean => role === "owner" || role === "admin";

const actionOf = (role: MemberRole | null, isSelf: boolean): string => {
  if (role !== null) return "merchant.member_role_changed";
  return isSelf ? "merchant.member_left" : "merchant.member_removed";
};
