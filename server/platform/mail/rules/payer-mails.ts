import { formatMoney } from "../../../kernel/money/money.ts";
import { type Draft, oneLine } from "./mail-body.ts";
import type { ContentOf } from "./mail-content.ts";
import { formatMailTime } from "./mail-dates.ts";

const approvalTexts = {
  approval_needed: {
    verb: "Approve",
    reason: "This payment needs your approval. Nothing is charged until you approve it.",
    link: "Approve or decline",
    unexpected: "Decline it.",
  },
  confirmation_needed: {
    verb: "Confirm",
    reason: "Your bank needs to confirm that it’s you. Nothing is charged until you confirm there.",
    link: "Continue at your bank",
    unexpected: "Don’t confirm it.",
  },
} as const;

const pauseNotice =
  "This mandate caused several such e-mails within an hour. For up to an hour, we send no more of them. During this time, you find new requests in your wallet, under Approvals.";

/** A payment that needs the payer. */
export const draftApprovalMail = (content: ContentOf<"approval_needed" | "confirmation_needed">): Draft => {
  const { verb, reason, link, unexpected } = approvalTexts[content.kind];
  const { currency, amountMinor, approvalUrl, expiresAt, isLast, reader } = content;
  const [merchant, client] = [oneLine(content.merchantName), oneLine(content.clientName)];
  const amount = formatMoney({ amountMinor, currency }, reader.locale);
  return {
    subject: `${verb} ${amount} to ${merchant}?`,
    blocks: [
      `${merchant} asks for ${amount}. ${reason}`,
      {
        facts: [
          ["Amount", amount],
          ["Merchant", merchant],
          ["Agent", client],
          ["Expires", formatMailTime(expiresAt, reader)],
        ],
      },
      { link: { label: link, href: approvalUrl } },
      "If you do nothing, the payment expires and no money moves.",
      ...(isLast ? [pauseNotice] : []),
      `Didn’t expect this payment? ${unexpected} In your wallet you can also stop ${client}, so that it can’t request any more payments.`,
    ],
  };
};

/** The subject has the exact amount: the payer can decide without opening the mail. */
export const draftAnnouncementMail = (content: ContentOf<"charge_announced">): Draft => {
  const { currency, amountMinor, reference, dueAt, noticeUrl, reader } = content;
  const [merchant, client] = [oneLine(content.merchantName), oneLine(content.clientName)];
  const amount = formatMoney({ amountMinor, currency }, reader.locale);
  return {
    subject: `${merchant} will charge ${amount}`,
    blocks: [
      `${merchant} has announced a payment of ${amount}. You don’t need to do anything if you agree.`,
      {
        facts: [
          ["Amount", amount],
          ["Due", formatMailTime(dueAt, reader)],
          ["Merchant", merchant],
          ...(reference === null ? [] : [["Reference", oneLine(reference)] as const]),
          ["Agent", client],
        ],
      },
      { link: { label: `Pause ${client}`, href: noticeUrl } },
      `The page shows the payment and asks before it pauses. While ${client} is paused, nothing can be charged.`,
    ],
  };
};

const passkeyTexts = {
  passkey_added: {
    subject: "A passkey was added to your account",
    effect: "You can now use it to sign in without your password.",
    unexpected: "remove the passkey on that page immediately. Also end the sessions that you don’t recognise.",
  },
  passkey_removed: {
    subject: "A passkey was removed from your account",
    effect: "It no longer works. Your password and your other passkeys still work.",
    unexpected: "end the sessions on that page that you don’t recognise.",
  },
} as const;

export const draftPasskeyMail = (content: ContentOf<"passkey_added" | "passkey_removed">): Draft => {
  const { kind, name, at, securityUrl, reader } = content;
  const { subject, effect, unexpected } = passkeyTexts[kind];
  return {
    subject,
    blocks: [
      `${subject}. ${effect}`,
      {
        facts: [
          ["Passkey", oneLine(name)],
          ["When", formatMailTime(at, reader)],
        ],
      },
      { link: { label: "Passkeys and sessions", href: securityUrl } },
      `If it wasn’t you, ${unexpected}`,
    ],
  };
};
