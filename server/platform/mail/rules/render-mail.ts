import { languageOf } from "../../../kernel/messages/languages.ts";
import { translator } from "../../../kernel/messages/translator.ts";
import type { AccountMailContent } from "./account-mail-content.ts";
import { draftAccountMail } from "./drafts/account-mails.ts";
import { draftBillingMail } from "./drafts/billing-mails.ts";
import { draftAppDeletedMail, draftDirectoryMail, draftEntryMail } from "./drafts/directory-mails.ts";
import { draftFederationMail } from "./drafts/federation-mails.ts";
import { draftMerchantMail, draftProcessorMail, draftWebhookMail } from "./drafts/merchant-mails.ts";
import { draftMerchantInvitationMail, draftReviewMail } from "./drafts/merchant-review-mails.ts";
import { draftPaymentMail } from "./drafts/payment-mails.ts";
import { draftSignInMail } from "./drafts/security-mails.ts";
import {
  draftAlertMail,
  draftPostmortemMail,
  draftStatusUpdateMail,
  draftSubscriptionMail,
} from "./drafts/status-mails.ts";
import { draftTeamMail } from "./drafts/team-mails.ts";
import { draftTransferMail } from "./drafts/transfer-mails.ts";
import { type Draft, type MailFooter, renderText } from "./mail-body.ts";
import type { MailContent } from "./mail-content.ts";
import { renderHtml } from "./mail-html.ts";
import type { SecurityMailContent } from "./security-mail-content.ts";

export type RenderedMail = { subject: string; text: string; html: string };

const draftOf = (content: MailContent): Draft => {
  switch (content.kind) {
    case "approval_needed":
    case "confirmation_needed":
    case "charge_announced":
    case "charge_failed":
    case "consent_given":
    case "mandate_changed":
    case "limit_near":
      return draftPaymentMail(content);
    case "webhook_endpoint_off":
      return draftWebhookMail(content);
    case "merchant_suspended":
    case "merchant_resumed":
      return draftMerchantMail(content);
    case "charges_enabled":
    case "charges_stopped":
      return draftProcessorMail(content);
    case "domain_check_failed":
    case "domain_unverified":
    case "metadata_changed":
      return draftDirectoryMail(content);
    case "entry_suspended":
    case "entry_resumed":
      return draftEntryMail(content);
    case "app_deleted":
      return draftAppDeletedMail(content);
    case "federation_keys_changed":
    case "federation_left":
      return draftFederationMail(content);
    case "entry_transfer_offered":
    case "entry_transfer_ended":
      return draftTransferMail(content);
    case "merchant_invitation":
      return draftMerchantInvitationMail(content);
    case "team_joined":
    case "team_role_changed":
    case "team_removed":
    case "ownership_transferred":
      return draftTeamMail(content);
    case "merchant_review_needed":
    case "merchant_approved":
    case "merchant_declined":
      return draftReviewMail(content);
    case "invoice":
    case "dunning":
    case "budget_alert":
      return draftBillingMail(content);
    case "status_alert":
      return draftAlertMail(content);
    case "status_confirm":
      return draftSubscriptionMail(content);
    case "status_update":
      return draftStatusUpdateMail(content);
    case "postmortem_due":
      return draftPostmortemMail(content);
    default:
      return draftOwnMail(content);
  }
};

/** An e-mail about the reader's own account. */
const draftOwnMail = (content: AccountMailContent | SecurityMailContent): Draft => {
  switch (content.kind) {
    case "password_reset":
    case "reset_unknown":
    case "email_change_code":
    case "email_change_taken":
    case "email_changed":
    case "new_sign_in":
    case "signed_out":
    case "password_changed":
    case "recovery_codes_created":
    case "recovery_code_used":
      return draftSignInMail(content);
    default:
      return draftAccountMail(content);
  }
};

/** Mail whose content has no `reader` is in English. */
const localeOf = (content: MailContent): string => ("reader" in content ? content.reader.locale : "en-GB");

type Frame = {
  environment: "production" | "sandbox";
  /** the page on which the reader chooses e-mails; null for mail that can't be switched off */
  choiceUrl?: string | null;
};

const footerOf = (content: MailContent, { environment, choiceUrl = null }: Frame): MailFooter => {
  const t = translator(localeOf(content), "mail");
  const isStatusUpdate = content.kind === "status_update";
  const reason = isStatusUpdate ? "You get this e-mail because you subscribed to status updates." : t("reason");
  const manageUrl = isStatusUpdate ? content.manageUrl : choiceUrl;
  const label = isStatusUpdate ? "Choose components, or unsubscribe" : t("unsubscribe");
  return [
    ...(environment === "sandbox" ? [t("sandbox")] : []),
    `${reason} ${t("noReply")}`,
    ...(manageUrl === null ? [] : [{ link: { label, href: manageUrl } }]),
  ];
};

/** Renders a mail as text and HTML. Mail from the sandbox says that no real money moves. */
export const renderMail = (content: MailContent, frame: Frame): RenderedMail => {
  const draft = draftOf(content);
  const footer = footerOf(content, frame);
  const isSandbox = frame.environment === "sandbox";
  const subject = isSandbox ? `[Sandbox] ${draft.subject}` : draft.subject;
  const language = languageOf(localeOf(content));
  return {
    subject,
    text: renderText(draft, footer),
    html: renderHtml({ ...draft, subject }, { footer, language, isSandbox }),
  };
};
