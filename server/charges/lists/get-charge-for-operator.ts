import { listPastActs, type PastAct } from "../../audit/past-acts.ts";
import type { OperatorCharge } from "../../data/charges/charges-under-review.ts";
import type { OpenContradiction } from "../../data/charges/contradictions.ts";
import type { Deps } from "../../deps/deps.ts";
import { paymentOf } from "../charge/submit-charge.ts";
import { getChargeOfAnyone, isUnderReview } from "../review/charge-under-review.ts";
import { listContradictions } from "../review/list-contradictions.ts";

export type ChargeForOperator = {
  charge: OperatorCharge;
  isUnderReview: boolean;
  /** open contradictions between the processor and our records */
  contradictions: OpenContradiction[];
  /** the request as sent; null if nothing was sent */
  sent: {
    at: Date;
    key: string;
    account: string;
    paymentMethodRef: string;
    capture: string;
    payerPresence: string;
  } | null;
  /** newest first, from the audit log */
  timeline: PastAct[];
};

/** Any charge, with the request to its processor and its history. @throws DomainError not_found. */
export const getChargeForOperator = async (
  deps: Deps,
  { chargeId }: { chargeId: string },
): Promise<ChargeForOperator> => {
  const charge = await getChargeOfAnyone(deps, chargeId);
  const { key, account, paymentMethodRef, capture, payerPresence } = paymentOf(deps, charge);
  return {
    charge,
    isUnderReview: isUnderReview(charge),
    contradictions: await listContradictions(deps, { chargeId }),
    sent: charge.submittedAt && { at: charge.submittedAt, key, account, paymentMethodRef, capture, payerPresence },
    timeline: await listPastActs(deps, { subjectId: chargeId, from: charge.createdAt }),
  };
};
