import type { ChargeForOperator } from "../../../charges/lists/get-charge-for-operator.ts";
import type { DisputeRow } from "../../../data/charges/disputes.ts";
import type { DeliveryOfObject } from "../../../data/operators/object-records.ts";
import { toAuditEntry, toContradiction, toOperatorCharge } from "../operator-views.ts";

/** Plain JSON for the page of one charge. */
export const toChargeForOperator = ({ charge, sent, refunds, disputes, ...found }: ChargeForOperator) => ({
  ...toOperatorCharge(charge),
  amountCapturedMinor: Number(charge.amountCaptured),
  amountRefundedMinor: Number(charge.amountRefunded),
  amountRefundingMinor: Number(charge.amountRefunding),
  payerEmail: charge.payerEmail,
  agent: { id: charge.agentClientId, name: charge.agentName },
  merchantApp: { id: charge.merchantClientId, name: charge.merchantAppName },
  payerPresence: charge.payerPresence,
  transactionId: charge.transactionId,
  metadata: charge.metadata,
  isUnderReview: found.isUnderReview,
  contradictions: found.contradictions.map(toContradiction),
  sent: sent && { ...sent, at: sent.at.toISOString() },
  refunds: refunds.map((refund) => ({
    id: refund.id,
    amountMinor: Number(refund.amount),
    status: refund.status,
    reason: refund.reason,
    failureCode: refund.failureCode,
    createdAt: refund.createdAt.toISOString(),
  })),
  disputes: disputes.map(toDisputeView),
  deliveries: found.deliveries.map(toDelivery),
  timeline: found.timeline.map(toAuditEntry),
  isTimelineCut: found.isTimelineCut,
});

const toDisputeView = (dispute: DisputeRow) => ({
  id: dispute.id,
  status: dispute.status,
  amountMinor: Number(dispute.amount),
  currency: dispute.currency,
  reason: dispute.reason,
  disputeRef: dispute.disputeRef,
  createdAt: dispute.createdAt.toISOString(),
  closedAt: dispute.closedAt?.toISOString() ?? null,
  evidenceDueAt: dispute.evidenceDueAt?.toISOString() ?? null,
});

/** Shows only the host of the URL, because the path may contain a secret of the recipient. */
const toDelivery = ({ url, createdAt, ...delivery }: DeliveryOfObject) => ({
  ...delivery,
  host: url !== null && URL.canParse(url) ? new URL(url).host : null,
  createdAt: createdAt.toISOString(),
});

export type OperatorChargeDetail = ReturnType<typeof toChargeForOperator>;
