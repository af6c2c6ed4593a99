import { appendAudit } from "../../data/audit/audit.ts";
import { findUsableInvitation, takeInvitation } from "../../data/merchants/invitations.ts";
import { insertMember, listMerchantManagers } from "../../data/merchants/members.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import { merchantPageUrl } from "../../kernel/requests/merchant-page-url.ts";
import { queueMailToEach } from "../../platform/mail/queue-mail-to-all.ts";
import { getLockedMerchant } from "../get-locked-merchant.ts";
import { getMember } from "./get-member.ts";

type Input = { token: string; accountId: string; requestId: string };

/**
 * Joins the team of an invitation. The link works once, and only for the account with the invited address. The owners
 * and admins get an e-mail.
 * @throws DomainError invitation_not_valid.
 */
export const joinTeam = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { token, accountId, requestId }: Input,
): Promise<{ merchantId: string }> =>
  deps.db.sqlTransaction(async (sql) => {
    const at = deps.clock.now();
    const tokenHash = sha256Base64url(token);
    const found = await findUsableInvitation(sql, tokenHash, at);
    if (!found) throw invitationNotValid();
    const merchant = await getLockedMerchant(sql, found.merchantId);
    const taken = await takeInvitation(sql, { tokenHash, accountId, at });
    if (!taken) throw invitationNotValid();
    const { id, merchantId, role } = taken;
    const managers = await listMerchantManagers(sql, merchantId);
    if (await insertMember(sql, { merchantId, accountId, role, at })) {
      const member = await getMember(sql, { merchantId, accountId });
      const teamUrl = merchantPageUrl(deps.config.walletUrl, merchantId, "/team");
      const about = { merchantName: merchant.displayName, memberName: member.name, memberEmail: member.email };
      const content = (timeZone: string) => ({ kind: "team_joined" as const, ...about, role, at, timeZone, teamUrl });
      await queueMailToEach(deps, sql, { recipients: managers, content, aboutAccountId: accountId, requestId });
    }
    await appendAudit(sql, {
      at,
      actor: { kind: "merchant", id: accountId },
      requestId,
      subjectId: merchantId,
      action: "merchant.member_joined",
      data: { invitation_id: id, role },
    });
    return { merchantId };
  });

const invitationNotValid = (): DomainError =>
  new DomainError("not_found", {
    code: "invitation_not_valid",
    message: "This invitation isn’t valid for your account. Ask for a new one.",
  });
