import { draftAccountExistsMail, draftVerificationMail } from "./account-mails.ts";
import { type Draft, type Rendered, renderBlocks } from "./mail-body.ts";
import type { MailContent } from "./mail-content.ts";
import { draftMerchantMail, draftWebhookMail } from "./merchant-mails.ts";
import { draftReviewMail, draftReviewNeededMail } from "./merchant-review-mails.ts";
import { draftAnnouncementMail, draftApprovalMail, draftPasskeyMail } from "./payer-mails.ts";
import {
  draftEmailChangedMail,
  draftEmailCodeMail,
  draftEmailTakenMail,
  draftResetMail,
  draftSecurityMail,
  draftUnknownResetMail,
} from "./security-mails.ts";
import { draftAlertMail, draftPostmortemMail, draftStatusUpdateMail, draftSubscriptionMail } from "./status-mails.ts";

const draftOf = (content: MailContent): Draft => {
  switch (content.kind) {
    case "approval_needed":
    case "confirmation_needed":
      return draftApprovalMail(content);
    case "charge_announced":
      return draftAnnouncementMail(content);
    case "webhook_endpoint_off":
      return draftWebhookMail(content);
    case "merchant_suspended":
    case "merchant_resumed":
      return draftMerchantMail(content);
    case "merchant_review_needed":
      return draftReviewNeededMail(content);
    case "merchant_approved":
    case "merchant_declined":
      return draftReviewMail(content);
    case "status_alert":
      return draftAlertMail(content);
    case "status_confirm":
      return draftSubscriptionMail(content);
    case "status_update":
      return draftStatusUpdateMail(content);
    case "postmortem_due":
      return draftPostmortemMail(content);
    case "verification":
      return draftVerificationMail(content);
    case "account_exists":
      return draftAccountExistsMail(content);
    case "passkey_added":
    case "passkey_removed":
      return draftPasskeyMail(content);
    case "password_reset":
      return draftResetMail(content);
    case "reset_unknown":
      return draftUnknownResetMail(content);
    case "email_change_code":
      return draftEmailCodeMail(content);
    case "email_change_taken":
      return draftEmailTakenMail(content);
    case "email_changed":
      return draftEmailChangedMail(content);
    case "new_sign_in":
    case "password_changed":
    case "recovery_codes_created":
    case "recovery_code_used":
      return draftSecurityMail(content);
  }
};

const footerOf = ({ kind }: MailContent): string => {
  const reason =
    kind === "status_update"
      ? "You get this e-mail because you subscribed to status updates."
      : "You get this e-mail because it concerns your use of Paygrant.";
  return `${reason} Please don’t reply to this e-mail.`;
};

/** Renders a mail as text and HTML. Mail from the sandbox says that no real money moves. */
export const renderMail = (content: MailContent, environment: "production" | "sandbox"): Rendered => {
  const { subject, blocks } = draftOf(content);
  const isSandbox = environment === "sandbox";
  const notice = isSandbox ? ["This is from the sandbox: no real money moves."] : [];
  return renderBlocks({
    subject: isSandbox ? `[Sandbox] ${subject}` : subject,
    blocks: [...blocks, ...notice, footerOf(content)],
  });
};
