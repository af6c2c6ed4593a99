import type { ChargeRow } from "../../data/charges/charges.ts";
import { type Answer, actRoute, type KeptAnswer } from "../../data/charges/idempotency.ts";
import type { RefundRow } from "../../data/charges/refunds.ts";
import type { Deps } from "../../deps/deps.ts";
import { toChargeObject, toDeclineObject, toRefundObject } from "../charge/charge.wire.ts";
import type { Decline } from "../rules/charge-states.ts";
import { type ActResult, actResult, type ChargeResult } from "../rules/results.ts";

// These functions convert a result to the bytes of its answer. The transaction that makes a result final stores these
// bytes under the key, and the endpoint sends them. So the first answer and every repeat are equal byte for byte.

/** docs/spec/payments.md, Charge responses. */
export const answerToCharge = (deps: Pick<Deps, "config">, result: ChargeResult<ChargeRow>): Answer => {
  switch (result.outcome) {
    case "charged":
      return { status: 201, body: chargeBody(result.charge) };
    case "pending":
      return { status: 202, body: chargeBody(result.charge) };
    case "not_charged":
      return refusal(deps, result);
  }
};

/** docs/spec/payments.md, Capture and void. */
export const answerToAct = (deps: Pick<Deps, "config">, result: ActResult<ChargeRow>): Answer => {
  switch (result.outcome) {
    case "done":
      return { status: 200, body: chargeBody(result.charge) };
    case "pending":
      return { status: 202, body: chargeBody(result.charge) };
    case "refused":
      return refusal(deps, result);
  }
};

/** The final answers for a capture and a void whose keys are still in progress. */
export const answersToActs = (deps: Pick<Deps, "config">, charge: ChargeRow): KeptAnswer[] =>
  (["capture", "void"] as const).map((kind) => {
    const route = actRoute(charge.id, kind);
    return { ...answerToAct(deps, actResult(charge, kind)), route };
  });

export const answerToRefund = (refund: RefundRow): Answer => ({
  status: 201,
  body: JSON.stringify(toRefundObject(refund)),
});

const chargeBody = (charge: ChargeRow): string => JSON.stringify(toChargeObject(charge));

/** RFC 9457. */
const refusal = (deps: Pick<Deps, "config">, { charge, decline }: { charge: ChargeRow; decline: Decline }): Answer => {
  const problem = {
    type: `${deps.config.baseUrl}/docs/errors#${decline.code}`,
    title: decline.code === "processor_refused" ? "The processor refused" : "The payment did not go through",
    status: 402,
    detail: decline.advice,
    charge_id: charge.id,
    ...toDeclineObject(decline),
  };
  return { status: 402, body: JSON.stringify(problem) };
};
