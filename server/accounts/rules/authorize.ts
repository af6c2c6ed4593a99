/** Who asks. A visitor has no session. */
export type AccessActor = { kind: "visitor" } | { kind: "account"; id: string; isOperator: boolean };

/** What is asked for, `noun.verb`. Every tRPC procedure names exactly one. */
export type AccessAction =
  | "status.read"
  | "account.read"
  | "session.list"
  | "session.revoke"
  | "session.confirm"
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
  | "audit.read";

/** What it is asked of: nothing in particular, or one thing with its owner; null where no such thing exists. */
export type AccessResource = { kind: "none" } | { kind: "owned"; ownerId: string | null };

export type Decision = "allow" | "sign_in" | "not_found" | "forbidden";

type Audience = "anyone" | "account" | "owner" | "operator";

const audiences: Readonly<Record<AccessAction, Audience>> = {
  "status.read": "anyone",
  "account.read": "account",
  "session.list": "account",
  "session.revoke": "owner",
  "session.confirm": "account",
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
  "audit.read": "operator",
};

/**
 * The one decision for every procedure. Lists are of the actor's own things, so `account` suffices for them.
 * Another's thing and one that doesn't exist are the same answer, so that ids tell nothing. What isn't said is refused.
 */
export const authorize = (actor: AccessActor, action: AccessAction, resource: AccessResource): Decision => {
  switch (audiences[action]) {
    case "anyone":
      return "allow";
    case "account":
      return actor.kind === "account" ? "allow" : "sign_in";
    case "owner":
      if (actor.kind === "visitor") return "sign_in";
      return resource.kind === "owned" && resource.ownerId === actor.id ? "allow" : "not_found";
    case "operator":
      if (actor.kind === "visitor") return "sign_in";
      return actor.isOperator ? "allow" : "forbidden";
    default:
      return "forbidden";
  }
};
