import {
  isMerchantAction,
  type MerchantAction,
  type MerchantRole,
  merchantActions,
  riskyActions,
} from "./merchant-actions.ts";
import {
  actionsBeforeSecondFactor,
  isOperatorAction,
  type OperatorAction,
  type OperatorRole,
  operatorActions,
  riskyOperatorActions,
} from "./operator-actions.ts";

/**
 * Who acts. A visitor has no session. `operatorRole`: null for an account that isn't an operator. `hasRecentProof`: the
 * person signed in, or confirmed their identity, within the last 5 minutes. `hasSecondFactor`: the session proved a
 * second factor, or none is required because `BASE_URL` is a loopback address.
 */
export type AccessActor =
  | { kind: "visitor" }
  | {
      kind: "account";
      id: string;
      operatorRole: OperatorRole | null;
      hasRecentProof: boolean;
      hasSecondFactor: boolean;
    };

/**
 * An action that needs no role, named `noun.verb`. Every tRPC procedure names exactly one action: of this type, of a
 * merchant's members or of operators.
 */
type PersonalAction =
  | "status.read"
  | "account.read"
  | "session.list"
  | "session.revoke"
  | "session.confirm"
  | "session.revoke_others"
  | "sign_in.list"
  | "password.change"
  | "password.remove"
  | "recovery_code.read"
  | "recovery_code.create"
  | "profile.update"
  | "email.change"
  | "email.confirm"
  | "email.cancel"
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
  | "mandate.change_payment_method"
  | "charge.list"
  | "charge.read"
  | "notice.list"
  | "notice.read"
  | "approval.list"
  | "approval.read"
  | "approval.approve"
  | "approval.decline"
  | "payment_method.list"
  | "payment_method.add"
  | "payment_method.finish"
  | "payment_method.update"
  | "payment_method.remove"
  | "merchant.create"
  | "connected_app.list"
  | "connected_app.disconnect"
  | "notification.list"
  | "notification.choose"
  | "data_export.list"
  | "data_export.request"
  | "account.delete"
  | "account.cancel_deletion"
  | "invitation.accept";

export type AccessAction = PersonalAction | MerchantAction | OperatorAction;

/**
 * What the action applies to. `none`: no single resource. `any`: a resource without an owner check. `owned`: a resource
 * and its owner; the owner is null if the resource doesn't exist. `merchant`: a merchant or one of its resources, and
 * the actor's role at this merchant; the role is null if the actor has none or the resource doesn't exist.
 */
export type AccessResource =
  | { kind: "none" }
  | { kind: "any" }
  | { kind: "owned"; ownerId: string | null }
  | { kind: "merchant"; role: MerchantRole | null };

export type Decision = "allow" | "sign_in" | "not_found" | "forbidden" | "second_factor" | "authenticate_again";

type Audience = "anyone" | "account" | "owner";

const audiences: Readonly<Record<PersonalAction, Audience>> = {
  "status.read": "anyone",
  "account.read": "account",
  "session.list": "account",
  "session.revoke": "owner",
  "session.confirm": "account",
  "session.revoke_others": "account",
  "sign_in.list": "account",
  "password.change": "account",
  "password.remove": "account",
  "recovery_code.read": "account",
  "recovery_code.create": "account",
  "profile.update": "account",
  "email.change": "account",
  "email.confirm": "account",
  "email.cancel": "account",
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
  "mandate.change_payment_method": "owner",
  "charge.list": "account",
  "charge.read": "owner",
  "notice.list": "account",
  "notice.read": "owner",
  "approval.list": "account",
  "approval.read": "owner",
  "approval.approve": "owner",
  "approval.decline": "owner",
  "payment_method.list": "account",
  "payment_method.add": "account",
  "payment_method.finish": "owner",
  "payment_method.update": "owner",
  "connected_app.list": "account",
  "connected_app.disconnect": "account",
  "notification.list": "account",
  "notification.choose": "account",
  "data_export.list": "account",
  "data_export.request": "account",
  "account.delete": "account",
  "account.cancel_deletion": "account",
  "payment_method.remove": "owner",
  "merchant.create": "account",
  "invitation.accept": "account",
};

/**
 * Actions that need a recent authentication (docs/spec/portal.md, Recent authentication). Consent and the approval of a
 * payment also need a recent authentication; their verbs check it.
 */
const riskyPersonalActions: ReadonlySet<AccessAction> = new Set<AccessAction>([
  "passkey.add",
  "passkey.remove",
  "password.change",
  "password.remove",
  "recovery_code.create",
  "email.change",
  "payment_method.add",
  "mandate.change_payment_method",
  "data_export.request",
  "account.delete",
]);

/**
 * The decision for every procedure. Lists contain only the actor's own resources, so any account may read them. Another
 * owner's resource and a missing one get the same answer, so that ids reveal nothing. An unknown action is refused.
 */
export const authorize = (actor: AccessActor, action: AccessAction, resource: AccessResource): Decision => {
  if (isMerchantAction(action)) return authorizeMember(actor, action, resource);
  if (isOperatorAction(action)) return authorizeOperator(actor, action, resource);
  switch (audiences[action]) {
    case "anyone":
      return "allow";
    case "account":
      return actor.kind === "account" ? allowProven(actor, action) : "sign_in";
    case "owner":
      if (actor.kind === "visitor") return "sign_in";
      return resource.kind === "owned" && resource.ownerId === actor.id ? allowProven(actor, action) : "not_found";
    default:
      return "forbidden";
  }
};

const allowProven = ({ hasRecentProof }: { hasRecentProof: boolean }, action: PersonalAction): Decision =>
  riskyPersonalActions.has(action) && !hasRecentProof ? "authenticate_again" : "allow";

const authorizeMember = (actor: AccessActor, action: MerchantAction, resource: AccessResource): Decision => {
  if (actor.kind === "visitor") return "sign_in";
  if (resource.kind !== "merchant" || resource.role === null) return "not_found";
  if (!merchantActions[action].includes(resource.role)) return "forbidden";
  return riskyActions.includes(action) && !actor.hasRecentProof ? "authenticate_again" : "allow";
};

/**
 * For an account that isn't an operator, every object of the console counts as not found, so that ids reveal nothing.
 */
const authorizeOperator = (actor: AccessActor, action: OperatorAction, resource: AccessResource): Decision => {
  if (actor.kind === "visitor") return "sign_in";
  if (actor.operatorRole === null) return resource.kind === "none" ? "forbidden" : "not_found";
  if (!actor.hasSecondFactor && !actionsBeforeSecondFactor.includes(action)) return "second_factor";
  if (!operatorActions[action].includes(actor.operatorRole)) return "forbidden";
  return riskyOperatorActions.includes(action) && !actor.hasRecentProof ? "authenticate_again" : "allow";
};
