import type { ChargeRow, ChargeState, PendingAct } from "../../data/charges/charges.ts";
import type { Deps } from "../../deps/deps.ts";
import { toChargeObject, toDecline } from "./charge.wire.ts";

/** What goes out for a charge, as bytes: kept under the idempotency key and repeated as they are. */
export type ChargeAnswer = {
  chargeId: string;
  status: number;
  contentType: "application/json" | "application/problem+json";
  body: string;
  location: string;
  isReplay: boolean;
};

/** docs/spec/payments.md, Charge responses. */
export const answerForCharge = (deps: Pick<Deps, "config">, charge: ChargeRow): ChargeAnswer => {
  const status = statusFor(charge);
  return toAnswer(
    deps,
    charge.id,
    status,
    JSON.stringify(status === 402 ? toProblem(deps, charge) : toChargeObject(charge)),
  );
};

const doneBy: Readonly<Record<PendingAct["kind"], readonly ChargeState[]>> = {
  // Whoever settled it first may have seen more of it.
  capture: ["captured", "partially_captured", "partially_refunded", "refunded", "disputed"],
  void: ["voided"],
  expire: ["expired"],
};

/** 200 with the charge once that was done, 202 while nobody knows, and 402 where the charge has gone another way, which it tells. */
export const answerForAct = (deps: Pick<Deps, "config">, charge: ChargeRow, kind: PendingAct["kind"]): ChargeAnswer => {
  if (charge.pendingAct === null && !doneBy[kind].includes(charge.state)) {
    const advice = `This was not done because the payment is now ${charge.state} meanwhile. Read the charge for its state.`;
    return refusedAct(deps, charge, `charge_${charge.state}`, advice);
  }
  return toAnswer(deps, charge.id, charge.pendingAct === null ? 200 : 202, JSON.stringify(toChargeObject(charge)));
};

const didNothing = "The processor refused and did nothing. Read the charge for its state.";

/** The processor will not do it. @param advice where it is another than that nothing moved, and the charge stays as it was */
export const refusedAct = (
  deps: Pick<Deps, "config">,
  charge: ChargeRow,
  declineCode: string,
  advice = didNothing,
): ChargeAnswer => {
  const decline = { code: "processor_refused", decline_code: declineCode, retryable: false, advice };
  return toAnswer(deps, charge.id, 402, JSON.stringify(toProblem(deps, { ...charge, decline })));
};

export const replayAnswer = (
  deps: Pick<Deps, "config">,
  kept: { chargeId: string; status: number; body: string },
): ChargeAnswer => ({ ...toAnswer(deps, kept.chargeId, kept.status, kept.body), isReplay: true });

const toAnswer = (deps: Pick<Deps, "config">, chargeId: string, status: number, body: string): ChargeAnswer => ({
  chargeId,
  status,
  contentType: status === 402 ? "application/problem+json" : "application/json",
  body,
  location: `${deps.config.baseUrl}/merchant_test/charges/${chargeId}`,
  isReplay: false,
});

const statusFor = (charge: ChargeRow): 201 | 202 | 402 => {
  switch (charge.state) {
    case "reserved":
    case "requires_action":
    case "submitted":
    case "processing":
    case "unknown":
      return 202;
    case "declined":
    case "voided":
    case "expired":
      return 402;
    default:
      return 201;
  }
};

/** RFC 9457, told whole from the charge: voided and expired charges moved nothing either. */
const toProblem = (deps: Pick<Deps, "config">, charge: ChargeRow): object => {
  const decline = charge.decline ?? {
    code: charge.state,
    decline_code: charge.state,
    retryable: true,
    advice: "Nothing was charged. Create a new charge if needed.",
  };
  return {
    type: `${deps.config.baseUrl}/docs/errors#${decline.code}`,
    title: decline.code === "processor_refused" ? "The processor refused" : "The payment did not go through",
    status: 402,
    detail: decline.advice,
    charge_id: charge.id,
    ...toDecline(decline),
  };
};
