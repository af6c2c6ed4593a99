/**
 * The entries of a merchant's audit log, by topic. Actions of payers aren't included. Actions of clients are included
 * only if they change the client's registration. Payments and API logs show the other actions.
 */
const auditTopics = {
  account: [
    "merchant.created",
    "merchant.invited",
    "merchant.approved",
    "merchant.declined",
    "merchant.suspended",
    "merchant.resumed",
  ],
  settings: [
    "merchant.settings_changed",
    "merchant.logo_changed",
    "merchant.logo_removed",
    "merchant.category_changed",
  ],
  billing: [
    "subscription.changed",
    "subscription.change_withdrawn",
    "billing_card_setup.begun",
    "billing_card_setup.ended",
    "billing_payment_method.set",
    "merchant.tax_details_changed",
    "merchant.vat_number_checked",
    "merchant.billing_suspended",
    "merchant.billing_resumed",
    "budget_alert.created",
    "budget_alert.updated",
    "budget_alert.deleted",
    "budget_alert.triggered",
  ],
  team: [
    "merchant.member_invited",
    "merchant.invitation_resent",
    "merchant.invitation_cancelled",
    "merchant.member_joined",
    "merchant.member_role_changed",
    "merchant.member_removed",
    "merchant.member_left",
    "merchant.ownership_transferred",
  ],
  apps: [
    "client.registered",
    "client.updated",
    "client.deleted",
    "initial_access_token.created",
    "initial_access_token.revoked",
    "software_statement.issued",
    "software_statement.revoked",
  ],
  webhooks: [
    "webhook_endpoint.created",
    "webhook_endpoint.updated",
    "webhook_endpoint.turned_on",
    "webhook_endpoint.turned_off",
    "webhook_endpoint.deleted",
    "webhook_endpoint.tested",
    "webhook_secret.rotated",
    "webhook_delivery.replayed",
  ],
  directory: [
    "participant.edited",
    "participant.withdrawn",
    "participant.listed_again",
    "participant.suspended",
    "participant.resumed",
    "participant.domain_claimed",
    "participant.domain_verified",
    "participant.domain_given_up",
    "participant.domain_check_failed",
    "participant.domain_check_passed",
    "participant.domain_unverified",
    "participant.metadata_changed",
    "participant.transfer_offered",
    "participant.transfer_declined",
    "participant.transfer_cancelled",
    "participant.transfer_expired",
    "participant.transferred",
  ],
  payments: [
    "charge.captured",
    "charge.partially_captured",
    "charge.capture_refused",
    "charge.voided",
    "charge.void_refused",
    "refund.created",
  ],
  processor: [
    "merchant.processor_account_created",
    "merchant.processor_page_opened",
    "merchant.processor_state_changed",
    "merchant.processor_account_forgotten",
  ],
} as const;

export type AuditTopic = keyof typeof auditTopics;
export type MerchantAuditAction = (typeof auditTopics)[AuditTopic][number];

export const auditTopicNames = Object.keys(auditTopics) as AuditTopic[];

/** All actions, or those of one topic. */
export const auditActionsOf = (topic: AuditTopic | null): readonly string[] =>
  topic === null ? auditTopicNames.flatMap((name) => auditTopics[name]) : auditTopics[topic];

type Entry = { action: string; actorKind: string; data: Readonly<Record<string, unknown>> };

/** Actions for which an operator gives a reason that the merchant's members may read. */
const reasonForMembers = new Set(["merchant.declined", "merchant.logo_removed"]);

/** Members of an entry's data that only the service uses. */
const internal = new Set(["merchant_id", "owner_id", "mail", "participant_id"]);

/**
 * The part of an entry's data that members may read. An operator's reason is only for operators, except the reason why
 * a merchant was declined or its logo was removed.
 */
export const visibleData = ({ action, actorKind, data }: Entry): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(data).filter(([name]) => {
      if (internal.has(name)) return false;
      return name !== "reason" || actorKind !== "operator" || reasonForMembers.has(action);
    }),
  );
