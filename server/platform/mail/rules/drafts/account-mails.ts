import { type Translator, translator } from "../../../../kernel/messages/translator.ts";
import type { AccountMailContent } from "../account-mail-content.ts";
import { type Draft, type MailBlock, oneLine } from "../mail-body.ts";
import type { ContentOf } from "../mail-content.ts";
import { formatMailDay, formatMailTime } from "../mail-dates.ts";
import type { MailReader } from "../mail-reader.ts";
import { draftPasskeyMail } from "./passkey-mails.ts";

const textsOf = ({ reader }: { reader: MailReader }): Translator<"account-mails"> =>
  translator(reader.locale, "account-mails");

/** An e-mail about an account, in the reader's language. */
export const draftAccountMail = (content: AccountMailContent): Draft => {
  switch (content.kind) {
    case "verification":
      return draftVerification(content);
    case "account_exists":
      return draftAccountExists(content);
    case "invitation":
      return draftInvitation(content);
    case "data_export_ready":
      return draftExport(content);
    case "deletion_scheduled":
    case "deletion_cancelled":
    case "account_deleted":
      return draftDeletion(content);
    case "passkey_added":
    case "passkey_removed":
      return draftPasskeyMail(content);
  }
};

/** The code is shown in two groups, which are easier to read and to type. */
const groupsOf = (code: string): string => `${code.slice(0, 3)} ${code.slice(3)}`;

const draftVerification = (content: ContentOf<"verification">): Draft => {
  const t = textsOf(content);
  const { confirmUrl, expiresAt, reader } = content;
  const code = groupsOf(content.code);
  return {
    subject: t("verification.subject"),
    blocks: [
      t("verification.text"),
      { code },
      t("verification.expires", { time: formatMailTime(expiresAt, reader) }),
      { button: { label: t("verification.link"), href: confirmUrl } },
      t("verification.unexpected"),
    ],
  };
};

const draftAccountExists = (content: ContentOf<"account_exists">): Draft => {
  const t = textsOf(content);
  return {
    subject: t("accountExists.subject"),
    blocks: [
      t("accountExists.text"),
      { button: { label: t("accountExists.link"), href: content.signInUrl } },
      ...(content.resetUrl === undefined
        ? []
        : [{ link: { label: t("accountExists.reset"), href: content.resetUrl } }]),
      t("accountExists.unexpected"),
    ],
  };
};

const draftInvitation = (content: ContentOf<"invitation">): Draft => {
  const t = textsOf(content);
  const { team, inviterName, acceptUrl, expiresAt, reader } = content;
  const names = { inviter: oneLine(inviterName), organization: oneLine(team.name) };
  return {
    subject: t("invitation.subject", names),
    blocks: [
      t("invitation.text", names),
      {
        facts: [
          [t("invitation.role"), t(`invitation.roles.${team.role}`)],
          [t("invitation.expires"), formatMailTime(expiresAt, reader)],
        ],
      },
      { button: { label: t("invitation.link"), href: acceptUrl } },
      t("invitation.unexpected"),
    ],
  };
};

const draftExport = (content: ContentOf<"data_export_ready">): Draft => {
  const t = textsOf(content);
  const { downloadUrl, expiresAt, reader } = content;
  return {
    subject: t("dataExportReady.subject"),
    blocks: [
      t("dataExportReady.text"),
      { facts: [[t("dataExportReady.expires"), formatMailTime(expiresAt, reader)]] },
      { button: { label: t("dataExportReady.link"), href: downloadUrl } },
      t("dataExportReady.unexpected"),
    ],
  };
};

const draftDeletion = (content: ContentOf<"deletion_scheduled" | "deletion_cancelled" | "account_deleted">): Draft => {
  const t = textsOf(content);
  switch (content.kind) {
    case "deletion_scheduled": {
      const date = formatMailDay(content.deletedOn, content.reader);
      const keep: MailBlock = { button: { label: t("deletionScheduled.link"), href: content.keepUrl } };
      return {
        subject: t("deletionScheduled.subject", { date }),
        blocks: [
          t("deletionScheduled.text", { date }),
          keep,
          t("deletionScheduled.kept"),
          t("deletionScheduled.unexpected"),
        ],
      };
    }
    case "deletion_cancelled": {
      const open: MailBlock = { button: { label: t("deletionCancelled.link"), href: content.walletUrl } };
      return {
        subject: t("deletionCancelled.subject"),
        blocks: [t("deletionCancelled.text"), open, t("deletionCancelled.unexpected")],
      };
    }
    case "account_deleted":
      return {
        subject: t("accountDeleted.subject"),
        blocks: [t("accountDeleted.text"), { facts: [[t("when"), formatMailTime(content.at, content.reader)]] }],
      };
  }
};
