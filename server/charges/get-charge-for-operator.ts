import { searchAudit } from "../audit/search-audit.ts";
import type { OpenContradiction } from "../data/contradictions.ts";
import type { OperatorCharge } from "../data/handed-over-charges.ts";
import type { Deps } from "../deps.ts";
import { getChargeOfAnyone, isHandedOver } from "./handed-over-charge.ts";
import { listContradictions } from "./list-contradictions.ts";
import { paymentOf } from "./submit-charge.ts";

/** Longer than any charge has. */
const timelineLength = 100;

type ChargeTimelineEntry = { at: Date; actorKind: string; actorId: string; action: string; data: unknown };

export type ChargeForOperator = {
  charge: OperatorCharge;
  isHandedOver: boolean;
  /** where its processor contradicts the books; what an operator has closed isn't here */
  contradictions: OpenContradiction[];
  /** the request as it was sent; null where nothing was */
  sent: {
    at: Date;
    key: string;
    account: string;
    paymentMethodRef: string;
    capture: string;
    payerPresence: string;
  } | null;
  /** newest first, from the audit log */
  timeline: ChargeTimelineEntry[];
};

/** Any charge, with what was sent to its processor and all that happened to it. @throws DomainError not_found. */
export const getChargeForOperator = async (
  deps: Deps,
  { chargeId }: { chargeId: string },
): Promise<ChargeForOperator> => {
  const charge = await getChargeOfAnyone(deps, chargeId);
  const { entries } = await searchAudit(deps, { subjectId: chargeId, from: charge.createdAt, limit: timelineLength });
  const { key, account, paymentMethodRef, capture, payerPresence } = paymentOf(deps, charge);
  return {
    charge,
    isHandedOver: isHandedOver(charge),
    contradictions: await listContradictions(deps, { chargeId }),
    sent: charge.submittedAt && { at: charge.submittedAt, key, account, paymentMethodRef, capture, payerPresence },
    timeline: entries.map(({ at, actorKind, actorId, action, data }) => ({ at, actorKind, actorId, action, data })),
  };
};
