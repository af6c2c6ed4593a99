import type { MailKind } from "#server/platform/mail/rules/mail-content.ts";
import type { OperatorMail } from "#server/trpc/operator/operator-views.ts";
import type { Tone } from "../../ui/pill.tsx";
import { sentenceCase } from "../text.ts";

type State = OperatorMail["state"];

export const mailStates: Readonly<Record<State, { tone: Tone; label: string }>> = {
  pending: { tone: "unknown", label: "Pending" },
  kept: { tone: "neutral", label: "Not sent" },
  sent: { tone: "good", label: "Sent" },
  failed: { tone: "bad", label: "Failed" },
};

export const isMailState = (text: string | undefined): text is State =>
  text !== undefined && Object.hasOwn(mailStates, text);

export const mailKinds: Readonly<Record<MailKind, string>> = {
  account_deleted: "Account deleted",
  account_exists: "Sign-up: account exists",
  app_deleted: "App deleted by an operator",
  approval_needed: "Payment to approve",
  budget_alert: "Budget alert",
  charge_announced: "Announced payment",
  charge_failed: "Failed payment",
  charges_enabled: "Live payments enabled",
  charges_stopped: "Live payments stopped",
  confirmation_needed: "Payment to confirm at the bank",
  consent_given: "Permission given",
  data_export_ready: "Data export ready",
  deletion_cancelled: "Account deletion canceled",
  deletion_scheduled: "Account deletion scheduled",
  domain_check_failed: "Domain check failed",
  domain_unverified: "Domain no longer verified",
  dunning: "Payment reminder",
  email_change_code: "Change of e-mail: code",
  email_change_taken: "Change of e-mail: address in use",
  email_changed: "E-mail address changed",
  entry_resumed: "Directory entry resumed",
  entry_suspended: "Directory entry suspended",
  entry_transfer_ended: "Transfer of an entry ended",
  entry_transfer_offered: "Transfer of an entry offered",
  federation_keys_changed: "Federation keys changed",
  federation_left: "Federation configuration expired",
  invitation: "Invitation to a team",
  invoice: "Invoice",
  limit_near: "Limit almost used up",
  mandate_changed: "Mandate changed",
  merchant_approved: "Merchant approved",
  merchant_declined: "Merchant declined",
  merchant_invitation: "Invitation to register a merchant",
  merchant_resumed: "Merchant resumed",
  merchant_review_needed: "Merchant to review",
  merchant_suspended: "Merchant suspended",
  metadata_changed: "Participant’s metadata changed",
  new_sign_in: "New sign-in",
  ownership_transferred: "Ownership transferred",
  passkey_added: "Passkey added",
  passkey_removed: "Passkey removed",
  password_changed: "Password changed",
  password_reset: "Password reset",
  postmortem_due: "Postmortem due",
  recovery_code_used: "Recovery code used",
  recovery_codes_created: "Recovery codes created",
  reset_unknown: "Password reset: no account",
  signed_out: "Signed out by an operator",
  status_alert: "Error budget alert",
  status_confirm: "Status subscription: confirmation",
  status_update: "Status update",
  team_joined: "Member joined",
  team_removed: "Member removed",
  team_role_changed: "Role changed",
  verification: "Sign-up: code",
  webhook_endpoint_off: "Webhook endpoint switched off",
};

/** Outbox entries of an earlier version may have a kind that no longer exists. */
export const mailKindLabel = (kind: string): string =>
  Object.hasOwn(mailKinds, kind) ? mailKinds[kind as MailKind] : sentenceCase(kind);
