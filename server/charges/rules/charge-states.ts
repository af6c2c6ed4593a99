/** docs/spec/payments.md, Charge states. */
export type ChargeState =
  | "reserved"
  | "requires_action"
  | "submitted"
  | "processing"
  | "unknown"
  | "authorized"
  | "succeeded"
  | "captured"
  | "partially_captured"
  | "partially_refunded"
  | "refunded"
  | "declined"
  | "voided"
  | "expired"
  | "disputed";

/** Why a payment didn't go through, as merchants see it. */
export type Decline = { code: string; decline_code: string; retryable: boolean; advice: string };
/** What the payer must do, as merchants see it. */
export type NextAction = { type: string; url: string; expires_at: string };
/** A capture, void or expiry on its way to the processor. `key` is the processor's idempotency key for it. */
export type PendingAct = { kind: "capture" | "void" | "expire"; amount: number; key: string };

const outcomes: readonly ChargeState[] = [
  "processing",
  "requires_action",
  "authorized",
  "succeeded",
  "declined",
  "unknown",
];
const afterCapture: readonly ChargeState[] = ["partially_refunded", "refunded", "disputed"];
/** Not final. If the charge was sent, the processor may still report changes. */
const open: ReadonlySet<ChargeState> = new Set(["submitted", "processing", "requires_action", "unknown", "authorized"]);
/**
 * Final without money. If a processor reports otherwise, it contradicts our records, and only an operator can decide.
 */
const unpaid: ReadonlySet<ChargeState> = new Set(["declined", "voided", "expired"]);

export const isOpen = ({ state }: { state: ChargeState }): boolean => open.has(state);
export const isUnpaid = ({ state }: { state: ChargeState }): boolean => unpaid.has(state);

/** Every allowed transition (docs/spec/payments.md, Charge states). */
const successors: Readonly<Record<ChargeState, readonly ChargeState[]>> = {
  reserved: ["requires_action", "submitted", "voided"],
  submitted: outcomes,
  requires_action: ["submitted", "authorized", "succeeded", "declined", "expired", "voided"],
  processing: outcomes.filter((state) => state !== "processing"),
  unknown: outcomes.filter((state) => state !== "unknown"),
  authorized: ["captured", "partially_captured", "voided", "expired"],
  succeeded: afterCapture,
  captured: afterCapture,
  partially_captured: afterCapture,
  partially_refunded: ["refunded", "disputed"],
  refunded: [],
  declined: [],
  voided: [],
  expired: [],
  // After a won dispute, the charge's state follows from its amounts. After a lost dispute, the charge remains
  // disputed.
  disputed: ["succeeded", "captured", "partially_captured", "partially_refunded", "refunded"],
};

export const chargeStates = Object.keys(successors) as readonly ChargeState[];

export const canBecome = (from: ChargeState, to: ChargeState): boolean => successors[from].includes(to);

/**
 * The states from which a settlement can move a charge, for the conditional update. No settlement moves a disputed
 * charge.
 */
export const predecessors = (to: ChargeState): ChargeState[] =>
  chargeStates.filter((from) => from !== "disputed" && canBecome(from, to));

/**
 * Whether a state is final for the idempotency key. Repeats then get the first answer with a final state, byte for
 * byte.
 */
export const isFinalAnswer = (state: ChargeState): boolean =>
  !["reserved", "requires_action", "submitted", "processing", "unknown"].includes(state);

/**
 * What happens to the held amount in a new state. A capture uses the captured amount and releases the rest. `declined`,
 * `voided` and `expired` release the whole amount. Open states keep the hold.
 */
export const effectOnHold = (to: ChargeState): "use" | "release" | "keep" => {
  switch (to) {
    case "succeeded":
    case "captured":
    case "partially_captured":
      return "use";
    case "declined":
    case "voided":
    case "expired":
      return "release";
    default:
      return "keep";
  }
};
