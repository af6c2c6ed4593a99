import type { MemberRole } from "../../data/merchants/members.ts";
import type { Config } from "../../deps/config.ts";
import { defaultLocales } from "../../kernel/messages/languages.ts";
import type { ContentOf } from "../../platform/mail/queue-mail.ts";

export const invitationSeconds = 7 * 24 * 3600;

/** The e-mail with the link. Only this e-mail contains the token. It is in English, as the merchant dashboard is. */
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
): ContentOf<"invitation"> => {
  const { merchant, inviter, role, token, expiresAt } = invitation;
  return {
    kind: "invitation",
    team: { name: merchant.displayName, role },
    inviterName: inviter?.name ?? `A member of ${merchant.displayName}`,
    acceptUrl: `${config.walletUrl}/invitations/${token}`,
    expiresAt,
    reader: { locale: defaultLocales.en, timeZone: "UTC" },
  };
};
