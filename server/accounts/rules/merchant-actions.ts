/** The role of a member in a merchant's organization (docs/spec/product.md, Terms). */
export type MerchantRole = "owner" | "admin" | "developer" | "viewer";

const everyone = ["owner", "admin", "developer", "viewer"] as const;
const owners = ["owner"] as const;
const managers = ["owner", "admin"] as const;
const builders = ["owner", "admin", "developer"] as const;

/** The roles that may perform each action. */
const roles = {
  "merchant.read": everyone,
  "payment.list": everyone,
  "payment.read": everyone,
  "dispute.list": everyone,
  "billing.read": everyone,
  "billing.change": managers,
  "billing.set_card": managers,
  "payment.capture": managers,
  "payment.void": managers,
  "payment.refund": managers,
  "webhook.list": everyone,
  "webhook.read": everyone,
  "webhook.create": builders,
  "webhook.update": builders,
  "webhook.switch": builders,
  "webhook.delete": builders,
  "webhook.rotate": builders,
  "delivery.list": everyone,
  "delivery.read": everyone,
  "delivery.replay": builders,
  "delivery.test": builders,
  "client.list": everyone,
  "client.read": everyone,
  "client.register": builders,
  "client.update": builders,
  "client.add_key": builders,
  "client.remove_key": builders,
  "client.delete": builders,
  "processor.read": everyone,
  "processor.check": managers,
  "processor.connect": managers,
  "log.list": everyone,
  "log.read": everyone,
  "directory.read": everyone,
  "directory.change": builders,
  "directory.transfer": managers,
  "directory.end_transfer": managers,
  "audit.list": managers,
  "payee_mandate.list": everyone,
  "payee_mandate.read": everyone,
  "settings.read": everyone,
  "settings.change": managers,
  "team.list": everyone,
  "team.invite": managers,
  "team.resend": managers,
  "team.cancel": managers,
  "team.change_role": managers,
  "team.remove": managers,
  "team.leave": everyone,
  "team.transfer": owners,
  "initial_token.list": everyone,
  "initial_token.create": builders,
  "initial_token.revoke": builders,
  "software_statement.list": everyone,
  "software_statement.issue": builders,
  "software_statement.revoke": builders,
} as const satisfies Readonly<Record<string, readonly MerchantRole[]>>;

export type MerchantAction = keyof typeof roles;

export const merchantActions: Readonly<Record<MerchantAction, readonly MerchantRole[]>> = roles;

/**
 * Actions that show a secret, change where events are sent, change clients or the team, add a payment method, connect a
 * processor, or transfer a directory entry. They need a recent authentication (docs/spec/portal.md, Recent
 * authentication).
 */
export const riskyActions: readonly MerchantAction[] = [
  "billing.set_card",
  "webhook.create",
  "webhook.update",
  "webhook.rotate",
  "client.register",
  "client.update",
  "client.add_key",
  "client.remove_key",
  "client.delete",
  "initial_token.create",
  "software_statement.issue",
  "team.invite",
  "team.change_role",
  "team.remove",
  "team.transfer",
  "directory.transfer",
  "processor.connect",
];

export const isMerchantAction = (action: string): action is MerchantAction => Object.hasOwn(roles, action);
