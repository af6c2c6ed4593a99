import type { ChargeState, Decline, PendingAct } from "./charge-states.ts";

type Charge = { state: ChargeState; decline: Decline | null };

/** The result of a charge request so far. */
export type ChargeResult<Row> =
  /** authorized or paid */
  | { outcome: "charged"; charge: Row }
  /** the processor hasn't decided, or the payer must act */
  | { outcome: "pending"; charge: Row }
  /** declined, voided or expired */
  | { outcome: "not_charged"; charge: Row; decline: Decline };

/** The result of a capture, void or expiry so far. */
export type ActResult<Row> =
  | { outcome: "done"; charge: Row }
  /** the processor hasn't confirmed it */
  | { outcome: "pending"; charge: Row }
  /** it wasn't done and won't be */
  | { outcome: "refused"; charge: Row; decline: Decline };

export const chargeResult = <Row extends Charge>(charge: Row): ChargeResult<Row> => {
  switch (charge.state) {
    case "reserved":
    case "requires_action":
    case "submitted":
    case "processing":
    case "unknown":
      return { outcome: "pending", charge };
    case "declined":
    case "voided":
    case "expired":
      return { outcome: "not_charged", charge, decline: charge.decline ?? endedWithoutDecline(charge.state) };
    default:
      return { outcome: "charged", charge };
  }
};

/** Voided and expired charges moved no money either. */
const endedWithoutDecline = (state: ChargeState): Decline => ({
  code: state,
  decline_code: state,
  retryable: true,
  advice: "Nothing was charged. Create a new charge if needed.",
});

/**
 * Includes later states, because another process may have settled the act, and the charge may have changed again since
 * then.
 */
const statesAfter: Readonly<Record<PendingAct["kind"], readonly ChargeState[]>> = {
  capture: ["captured", "partially_captured", "partially_refunded", "refunded", "disputed"],
  void: ["voided"],
  expire: ["expired"],
};

/** The result of an act, according to the charge's current row. */
export const actResult = <Row extends Charge & { pendingAct: PendingAct | null }>(
  charge: Row,
  kind: PendingAct["kind"],
): ActResult<Row> => {
  if (charge.pendingAct !== null) return { outcome: "pending", charge };
  if (statesAfter[kind].includes(charge.state)) return { outcome: "done", charge };
  const advice = `The request was not carried out because the payment is now ${charge.state}. ${readCharge}`;
  return refusedAct(charge, `charge_${charge.state}`, advice);
};

/** The last sentence of a message for API clients. The dashboard replaces it. */
export const readCharge = "Read the charge to see its state.";

const didNothing = `The processor refused the request and did nothing. ${readCharge}`;

/** The result of an act that is permanently refused. @param advice default: the processor did nothing. */
export const refusedAct = <Row>(
  charge: Row,
  declineCode: string,
  advice: string = didNothing,
): Extract<ActResult<Row>, { outcome: "refused" }> => ({
  outcome: "refused",
  charge,
  decline: { code: "processor_refused", decline_code: declineCode, retryable: false, advice },
});
