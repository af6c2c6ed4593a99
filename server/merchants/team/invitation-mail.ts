import type { MemberRole } from "../../data/merchants/members.ts";
import type { Config } from "../../deps/config.ts";

export const invitationSeconds = 7 * 24 * 3600;

/** The mail with the link, the only place where the token appears. */
export const invitationMail = (
  config: Pick<Config, "walletUrl">,
  invitation: {
    merchant: { displayName: string };
    /** null: no longer a member */
    inviter: { name: string } | null;
    role: MemberRole;
    token: string;
    expiresAt: Date;
  },
): {
  kind: "team_invitation";
  merchantName: string;
  inviterName: string | null;
  role: string;
  invitationUrl: string;
  expiresAt: Date;
} => {
  const { merchant, inviter, role, token, expiresAt } = invitation;
  return {
    kind: "team_invitation",
    merchantName: merchant.displayName,
    inviterName: inviter?.name ?? null,
    role,
    invitationUrl: `${config.walletUrl}/invitations/${token}`,
    expiresAt,
  };
};
