import {
  isMerchantAction,
  type MerchantAction,
  type MerchantRole,
  merchantActions,
  riskyActions,
} from "./merchant-actions.ts";

/** Who acts. A visitor has no session. `hasRecentProof`: signed in or confirmed within the last minutes. */
export type AccessActor =
  | { kind: "visitor" }
  | { kind: "account"; id: string; isOperator: boolean; hasRecentProof: boolean };

/** An action, `noun.verb`. Every tRPC procedure names exactly one. */
type PersonalAction =
  | "status.read"
  | "account.read"
  | "session.list"
  | "session.revoke"
  | "session.confirm"
  | "passkey.list"
  | "passkey.add"
  | "passkey.rename"
  | "passkey.remove"
  | "mandate.list"
  | "mandate.read"
  | "mandate.pause"
  | "mandate.resume"
  | "mandate.narrow"
  | "mandate.revoke"
  | "charge.list"
  | "approval.list"
  | "approval.read"
  | "approval.approve"
  | "approval.decline"
  | "payment_method.list"
  | "payment_method.add"
  | "payment_method.finish"
  | "payment_method.update"
  | "payment_method.remove"
  | "audit.read"
  | "attention.read"
  | "charge_under_review.list"
  | "charge_under_review.read"
  | "charge_under_review.search"
  | "charge_under_review.settle"
  | "contradiction.list"
  | "contradiction.close"
  | "mail.list"
  | "mail.read"
  | "mail.retry"
  | "postmortem.write"
  | "job.list"
  | "job.retry"
  | "signing_key.list"
  | "signing_key.rotate"
  | "signing_key.revoke"
  | "agent_token.list"
  | "agent_token.create"
  | "agent_token.revoke"
  | "registered_merchant.list"
  | "registered_merchant.read"
  | "registered_merchant.suspend"
  | "registered_merchant.resume"
  | "registered_merchant.categorize"
  | "granted_mandate.list"
  | "granted_mandate.read"
  | "granted_mandate.suspend"
  | "granted_mandate.resume"
  | "granted_mandate.revoke"
  | "merchant_token.list"
  | "merchant_token.revoke"
  | "error_budget.read"
  | "incident.list"
  | "incident.read"
  | "incident.open"
  | "incident.publish"
  | "maintenance.list"
  | "maintenance.read"
  | "maintenance.schedule"
  | "maintenance.publish"
  | "sandbox_clock.advance";

export type AccessAction = PersonalAction | MerchantAction;

/**
 * What the action applies to. `none`: no single resource. `any`: a resource without an owner check. `owned`: a resource
 * with its owner, null if it doesn't exist. `merchant`: a merchant or a resource of one, with the actor's role, null if
 * the actor has none or the resource doesn't exist.
 */
export type AccessResource =
  | { kind: "none" }
  | { kind: "any" }
  | { kind: "owned"; ownerId: string | null }
  | { kind: "merchant"; role: MerchantRole | null };

export type Decision = "allow" | "sign_in" | "not_found" | "forbidden" | "prove_again";

type Audience = "anyone" | "account" | "owner" | "operator";

const audiences: Readonly<Record<PersonalAction, Audience>> = {
  "status.read": "anyone",
  "account.read": "account",
  "session.list": "account",
  "session.revoke": "owner",
  "session.confirm": "account",
  "passkey.list": "account",
  "passkey.add": "account",
  "passkey.rename": "owner",
  "passkey.remove": "owner",
  "mandate.list": "account",
  "mandate.read": "owner",
  "mandate.pause": "owner",
  "mandate.resume": "owner",
  "mandate.narrow": "owner",
  "mandate.revoke": "owner",
  "charge.list": "account",
  "approval.list": "account",
  "approval.read": "owner",
  "approval.approve": "owner",
  "approval.decline": "owner",
  "payment_method.list": "account",
  "payment_method.add": "account",
  "payment_method.finish": "owner",
  "payment_method.update": "owner",
  "payment_method.remove": "owner",
  "audit.read": "operator",
  "attention.read": "operator",
  "charge_under_review.list": "operator",
  "charge_under_review.read": "operator",
  "charge_under_review.search": "operator",
  "charge_under_review.settle": "operator",
  "contradiction.list": "operator",
  "contradiction.close": "operator",
  "mail.list": "operator",
  "mail.read": "operator",
  "mail.retry": "operator",
  "postmortem.write": "operator",
  "job.list": "operator",
  "job.retry": "operator",
  "signing_key.list": "operator",
  "signing_key.rotate": "operator",
  "signing_key.revoke": "operator",
  "agent_token.list": "operator",
  "agent_token.create": "operator",
  "agent_token.revoke": "operator",
  "registered_merchant.list": "operator",
  "registered_merchant.read": "operator",
  "registered_merchant.suspend": "operator",
  "registered_merchant.resume": "operator",
  "registered_merchant.categorize": "operator",
  "granted_mandate.list": "operator",
  "granted_mandate.read": "operator",
  "granted_mandate.suspend": "operator",
  "granted_mandate.resume": "operator",
  "granted_mandate.revoke": "operator",
  "merchant_token.list": "operator",
  "merchant_token.revoke": "operator",
  "error_budget.read": "operator",
  "incident.list": "operator",
  "incident.read": "operator",
  "incident.open": "operator",
  "incident.publish": "operator",
  "maintenance.list": "operator",
  "maintenance.read": "operator",
  "maintenance.schedule": "operator",
  "maintenance.publish": "operator",
  "sandbox_clock.advance": "operator",
};

/**
 * Actions on money or keys, which need a recent proof of identity (docs/spec/portal.md, Recent authentication).
 */
const riskyPersonalActions: ReadonlySet<AccessAction> = new Set<AccessAction>([
  "passkey.add",
  "passkey.remove",
  "payment_method.add",
  "charge_under_review.search",
  "charge_under_review.settle",
  "contradiction.close",
  "signing_key.rotate",
  "signing_key.revoke",
  "agent_token.create",
  "registered_merchant.suspend",
  "registered_merchant.resume",
  "registered_merchant.categorize",
  "granted_mandate.suspend",
  "granted_mandate.resume",
  "granted_mandate.revoke",
]);

/**
 * The decision for every procedure. Lists contain the actor's own resources, so they need only an account. Another
 * owner's resource and a missing one get the same answer, so that ids reveal nothing. Anything that isn't listed is
 * refused.
 */
export const authorize = (actor: AccessActor, action: AccessAction, resource: AccessResource): Decision => {
  if (isMerchantAction(action)) return authorizeMember(actor, action, resource);
  switch (audiences[action]) {
    case "anyone":
      return "allow";
    case "account":
      return actor.kind === "account" ? allowProven(actor, action) : "sign_in";
    case "owner":
      if (actor.kind === "visitor") return "sign_in";
      return resource.kind === "owned" && resource.ownerId === actor.id ? allowProven(actor, action) : "not_found";
    case "operator":
      if (actor.kind === "visitor") return "sign_in";
      if (!actor.isOperator) return resource.kind === "none" ? "forbidden" : "not_found";
      return allowProven(actor, action);
    default:
      return "forbidden";
  }
};

const allowProven = ({ hasRecentProof }: { hasRecentProof: boolean }, action: PersonalAction): Decision =>
  riskyPersonalActions.has(action) && !hasRecentProof ? "prove_again" : "allow";

const authorizeMember = (actor: AccessActor, action: MerchantAction, resource: AccessResource): Decision => {
  if (actor.kind === "visitor") return "sign_in";
  if (resource.kind !== "merchant" || resource.role === null) return "not_found";
  if (!merchantActions[action].includes(resource.role)) return "forbidden";
  return riskyActions.includes(action) && !actor.hasRecentProof ? "prove_again" : "allow";
};
