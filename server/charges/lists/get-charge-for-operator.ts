import type { ChargeOfAnyone } from "../../data/charges/charges-under-review.ts";
import type { OpenContradiction } from "../../data/charges/contradictions.ts";
import { type DisputeRow, findDisputesOfCharge } from "../../data/charges/disputes.ts";
import { findShownRefunds, type RefundRow } from "../../data/charges/refunds.ts";
import {
  type ActOnObject,
  type DeliveryOfObject,
  findActsOnObjects,
  findDeliveriesOfObjects,
} from "../../data/operators/object-records.ts";
import type { Deps } from "../../deps/deps.ts";
import { paymentOf } from "../charge/submit-charge.ts";
import { getChargeOfAnyone, isUnderReview } from "../review/charge-under-review.ts";
import { listContradictions } from "../review/list-contradictions.ts";

export type ChargeForOperator = {
  charge: ChargeOfAnyone;
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
  /** newest first */
  refunds: RefundRow[];
  disputes: DisputeRow[];
  /** events about the charge, its refunds and disputes; newest first */
  deliveries: DeliveryOfObject[];
  /** of the charge, its refunds and disputes; newest first, from the audit log */
  timeline: ActOnObject[];
  /** whether the timeline has more entries, which only the audit log shows */
  isTimelineCut: boolean;
};

/** Maximum number of rows per list. A charge usually has fewer. */
const maxDeliveries = 50;
const maxEntries = 200;

/** Any charge, with its request to the processor and its history. @throws DomainError not_found. */
export const getChargeForOperator = async (
  deps: Deps,
  { chargeId }: { chargeId: string },
): Promise<ChargeForOperator> => {
  const { sql } = deps.db;
  const charge = await getChargeOfAnyone(deps, chargeId);
  const { key, account, paymentMethodRef, capture, payerPresence } = paymentOf(deps, charge);
  const [refunds, disputes, contradictions] = await Promise.all([
    findShownRefunds(sql, chargeId),
    findDisputesOfCharge(sql, chargeId),
    listContradictions(deps, { chargeId }),
  ]);
  const subjectIds = [chargeId, ...[...refunds, ...disputes].map(({ id }) => id)];
  const [deliveries, timeline] = await Promise.all([
    findDeliveriesOfObjects(sql, subjectIds, maxDeliveries),
    findActsOnObjects(sql, { subjectIds, from: charge.createdAt, limit: maxEntries + 1 }),
  ]);
  return {
    charge,
    isUnderReview: isUnderReview(charge),
    contradictions,
    sent: charge.submittedAt && { at: charge.submittedAt, key, account, paymentMethodRef, capture, payerPresence },
    refunds,
    disputes,
    deliveries,
    timeline: timeline.slice(0, maxEntries),
    isTimelineCut: timeline.length > maxEntries,
  };
};
