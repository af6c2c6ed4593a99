export type MandateState = "pending" | "active" | "rejected" | "suspended" | "revoked" | "expired" | "consumed";
export type MandateEvent =
  | "approve"
  | "reject"
  | "time_out"
  | "suspend"
  | "resume"
  | "narrow"
  | "replace"
  | "revoke"
  | "expire"
  | "consume";
export type MandateActor = "payer" | "client" | "merchant" | "operator" | "system" | "anonymous";

export const mandateStates: readonly MandateState[] = [
  "pending",
  "active",
  "rejected",
  "suspended",
  "revoked",
  "expired",
  "consumed",
];
export const mandateEvents: readonly MandateEvent[] = [
  "approve",
  "reject",
  "time_out",
  "suspend",
  "resume",
  "narrow",
  "replace",
  "revoke",
  "expire",
  "consume",
];
export const mandateActors: readonly MandateActor[] = [
  "payer",
  "client",
  "merchant",
  "operator",
  "system",
  "anonymous",
];

/** `suspendedBy`: the actor kinds that suspended the mandate; each kind lifts only its own suspension. */
export type Standing = { state: MandateState; suspendedBy: readonly string[] };
export type Transition = { ok: true; next: Standing } | { ok: false; code: RefusedTransition };
export type RefusedTransition = "not_allowed" | "already_suspended" | "not_suspended_by_you";

/**
 * The allowed transitions: state, event and actor, then the next state. All others are refused. `system` is a job or
 * the charging code.
 */
const table: Readonly<Record<string, MandateState>> = {
  "pending approve payer": "active",
  "pending reject payer": "rejected",
  "pending time_out system": "rejected",

  "active suspend payer": "suspended",
  "active suspend operator": "suspended",
  "active narrow payer": "active",
  "active replace payer": "active",
  "active revoke payer": "revoked",
  "active revoke client": "revoked",
  "active revoke operator": "revoked",
  "active expire system": "expired",
  "active consume system": "consumed",

  "suspended suspend payer": "suspended",
  "suspended suspend operator": "suspended",
  // `active` when no suspension is left.
  "suspended resume payer": "active",
  "suspended resume operator": "active",
  "suspended narrow payer": "suspended",
  "suspended replace payer": "suspended",
  "suspended revoke payer": "revoked",
  "suspended revoke client": "revoked",
  "suspended revoke operator": "revoked",
  "suspended expire system": "expired",
  "suspended consume system": "consumed",
};

/** Has a result for every state, event and actor (docs/spec/payments.md, Mandate states). */
export const transition = (from: Standing, event: MandateEvent, actor: MandateActor): Transition => {
  const state = table[`${from.state} ${event} ${actor}`];
  if (!state) return { ok: false, code: "not_allowed" };
  if (event === "suspend") {
    if (from.suspendedBy.includes(actor)) return { ok: false, code: "already_suspended" };
    return { ok: true, next: { state, suspendedBy: [...from.suspendedBy, actor].sort() } };
  }
  if (event === "resume") {
    if (!from.suspendedBy.includes(actor)) return { ok: false, code: "not_suspended_by_you" };
    const suspendedBy = from.suspendedBy.filter((kind) => kind !== actor);
    return { ok: true, next: { state: suspendedBy.length === 0 ? "active" : "suspended", suspendedBy } };
  }
  return { ok: true, next: { state, suspendedBy: state === "suspended" ? from.suspendedBy : [] } };
};

const finalStates: ReadonlySet<MandateState> = new Set(["rejected", "revoked", "expired", "consumed"]);
export const isFinal = (state: MandateState): boolean => finalStates.has(state);
