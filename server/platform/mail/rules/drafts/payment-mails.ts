import { declineReasonForPayer } from "../../../../kernel/messages/decline-reason.ts";
import { type Translator, translator } from "../../../../kernel/messages/translator.ts";
import { formatMoney } from "../../../../kernel/money/money.ts";
import { type Draft, type MailBlock, oneLine } from "../mail-body.ts";
import type { ContentOf } from "../mail-content.ts";
import { formatMailTime } from "../mail-dates.ts";
import type { MailReader } from "../mail-reader.ts";
import type { PaymentMailContent } from "../payment-mail-content.ts";
import { draftConsentMail, draftLimitMail, draftMandateChangeMail } from "./mandate-mails.ts";

/** An e-mail about a payment or a mandate, in the reader's language. */
export const draftPaymentMail = (content: PaymentMailContent): Draft => {
  switch (content.kind) {
    case "approval_needed":
    case "confirmation_needed":
      return draftApprovalMail(content);
    case "charge_announced":
      return draftAnnouncementMail(content);
    case "charge_failed":
      return draftFailureMail(content);
    case "consent_given":
      return draftConsentMail(content);
    case "mandate_changed":
      return draftMandateChangeMail(content);
    case "limit_near":
      return draftLimitMail(content);
  }
};

type Payment = { merchantName: string; clientName: string; amountMinor: bigint; currency: string; reader: MailReader };

const namesOf = ({ merchantName, clientName, amountMinor, currency, reader }: Payment) => ({
  merchant: oneLine(merchantName),
  client: oneLine(clientName),
  amount: formatMoney({ amountMinor, currency }, reader.locale),
});

const textsOf = ({ reader }: Payment): Translator<"payment-mails"> => translator(reader.locale, "payment-mails");

/** A payment that the payer must approve or confirm. */
const draftApprovalMail = (content: ContentOf<"approval_needed" | "confirmation_needed">): Draft => {
  const t = textsOf(content);
  const { merchant, client, amount } = namesOf(content);
  const kind = content.kind === "approval_needed" ? "approvalNeeded" : "confirmationNeeded";
  return {
    subject: t(`${kind}.subject`, { amount, merchant }),
    blocks: [
      t(`${kind}.text`, { amount, merchant }),
      {
        facts: [
          [t("amount"), amount],
          [t("merchant"), merchant],
          [t("agent"), client],
          [t("expires"), formatMailTime(content.expiresAt, content.reader)],
        ],
      },
      { button: { label: t(`${kind}.link`), href: content.approvalUrl } },
      t("noAction"),
      ...(content.isLast ? [t("lastApproval")] : []),
      t(`${kind}.unexpected`, { client }),
    ],
  };
};

/** The subject has the exact amount: the payer can decide without opening the mail. */
const draftAnnouncementMail = (content: ContentOf<"charge_announced">): Draft => {
  const t = textsOf(content);
  const { reference, dueAt, noticeUrl, reader } = content;
  const { merchant, client, amount } = namesOf(content);
  return {
    subject: t("chargeAnnounced.subject", { amount, merchant }),
    blocks: [
      t("chargeAnnounced.text", { amount, merchant }),
      {
        facts: [
          [t("amount"), amount],
          [t("due"), formatMailTime(dueAt, reader)],
          [t("merchant"), merchant],
          ...(reference === null ? [] : [[t("reference"), oneLine(reference)] as const]),
          [t("agent"), client],
        ],
      },
      { button: { label: t("chargeAnnounced.link", { client }), href: noticeUrl } },
      t("chargeAnnounced.effect", { client }),
    ],
  };
};

const draftFailureMail = (content: ContentOf<"charge_failed">): Draft => {
  const t = textsOf(content);
  const { declineCode, at, chargeUrl, reader } = content;
  const reason = declineReasonForPayer(declineCode, translator(reader.locale, "activity"));
  const { merchant, client, amount } = namesOf(content);
  const facts: MailBlock = {
    facts: [
      [t("amount"), amount],
      [t("merchant"), merchant],
      [t("agent"), client],
      [t("when"), formatMailTime(at, reader)],
      [t("chargeFailed.reason"), oneLine(reason)],
    ],
  };
  return {
    subject: t("chargeFailed.subject", { amount, merchant }),
    blocks: [
      t("chargeFailed.text", { amount, merchant }),
      facts,
      { button: { label: t("chargeFailed.link"), href: chargeUrl } },
      t("chargeFailed.next", { client }),
    ],
  };
};
