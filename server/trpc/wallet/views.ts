import { z } from "zod";
import type { PaymentMethodView } from "../../accounts/payment-methods/list-payment-methods.ts";
import type { ApprovalDetail, PayerApproval } from "../../charges/approvals/find-approvals.ts";
import type { PayerCharge } from "../../charges/lists/list-charges.ts";
import type { PayerNotice } from "../../charges/notices/payer-notices.ts";
import type { PayerChargeDetail } from "../../charges/payers/get-payer-charge.ts";
import type { PayerEntry } from "../../charges/payers/list-activity.ts";
import type { MonthlySpend } from "../../charges/payers/summarize-spend.ts";
import type { LimitView, MandateView } from "../../mandates/find-mandates.ts";

/**
 * The data that pages receive, as plain JSON. Amounts are minor units as numbers, which represent every amount of a
 * mandate exactly (at most 99,999,999,999). Instants are RFC 3339 texts.
 */
export const toLimit = (limit: LimitView) => ({
  key: limit.key,
  kind: limit.kind,
  period: limit.period,
  alignment: limit.alignment,
  capMinor: Number(limit.capMinor),
  usedMinor: Number(limit.usedMinor),
  heldMinor: Number(limit.heldMinor),
  leftMinor: Number(limit.leftMinor),
  resetsAt: limit.resetsAt?.toISOString() ?? null,
});

export const toMandate = (mandate: MandateView) => ({
  id: mandate.id,
  state: mandate.state,
  version: mandate.version,
  client: mandate.client,
  liveOfClient: mandate.liveOfClient,
  purpose: mandate.purpose,
  currency: mandate.currency,
  limits: mandate.limits.map(toLimit),
  payees: mandate.payees,
  timeZone: mandate.timeZone,
  payerPresence: mandate.details.payer_presence ?? [],
  restoresRefunds: mandate.details.refund_policy === "restore",
  stepUpAboveMinor: mandate.stepUpAboveMinor === null ? null : Number(mandate.stepUpAboveMinor),
  budgetVisible: mandate.budgetVisible,
  validFrom: mandate.validFrom.toISOString(),
  validUntil: mandate.validUntil.toISOString(),
  paymentMethod: mandate.paymentMethod,
  suspendedBy: mandate.suspendedBy,
  createdAt: mandate.createdAt.toISOString(),
  endedAt: mandate.endedAt?.toISOString() ?? null,
});

export const toCharge = (charge: PayerCharge) => ({
  id: charge.id,
  state: charge.state,
  amountMinor: Number(charge.amountMinor),
  amountCapturedMinor: Number(charge.amountCapturedMinor),
  amountRefundedMinor: Number(charge.amountRefundedMinor),
  currency: charge.currency,
  reference: charge.reference,
  declineCode: charge.decline?.decline_code ?? null,
  createdAt: charge.createdAt.toISOString(),
  merchant: charge.merchant,
  client: charge.client,
  mandate: charge.mandate,
});

export const toEntry = (entry: PayerEntry) =>
  entry.kind === "charge"
    ? { kind: entry.kind, ...toCharge(entry) }
    : { ...entry, amountMinor: Number(entry.amountMinor), createdAt: entry.createdAt.toISOString() };

/** The amount and the status of an audit entry. Its other data, such as the reasons of operators, is internal. */
const entryData = z.object({ amount: z.number().optional(), status: z.string().optional() }).catch({});

export const toChargeDetail = (charge: PayerChargeDetail) => ({
  ...toCharge(charge),
  captureMethod: charge.captureMethod,
  payerPresence: charge.payerPresence,
  approvedAt: charge.approvedAt?.toISOString() ?? null,
  paymentMethod: charge.paymentMethod,
  refunds: charge.refunds.map((refund) => ({
    id: refund.id,
    amountMinor: Number(refund.amount),
    status: refund.status,
    reason: refund.reason,
    note: z.object({ note: z.string() }).safeParse(refund.metadata).data?.note ?? null,
    createdAt: refund.createdAt.toISOString(),
  })),
  disputes: charge.disputes.map((dispute) => ({
    id: dispute.id,
    amountMinor: Number(dispute.amount),
    status: dispute.status,
    createdAt: dispute.createdAt.toISOString(),
    closedAt: dispute.closedAt?.toISOString() ?? null,
  })),
  timeline: charge.timeline.map(({ at, actorKind, subjectId, action, data }) => ({
    at: at.toISOString(),
    actorKind,
    subjectId,
    action,
    amountMinor: entryData.parse(data).amount ?? null,
  })),
});

export const toNotice = ({ amount, dueAt, createdAt, ...notice }: PayerNotice) => ({
  ...notice,
  amountMinor: Number(amount),
  dueAt: dueAt.toISOString(),
  createdAt: createdAt.toISOString(),
});

export const toSpend = ({ month, spend }: MonthlySpend) => ({
  from: month.startsAt.toISOString(),
  to: month.endsAt.toISOString(),
  /** only the newest charges were counted */
  isPartial: spend.some(({ isPartial }) => isPartial),
  rows: spend.map(({ clientId, clientName, currency, spent, count }) => ({
    clientId,
    clientName,
    currency,
    spentMinor: Number(spent),
    count,
  })),
});

export const toApproval = (approval: PayerApproval) => ({
  ...toCharge(approval),
  approvalState: approval.approvalState,
  expiresAt: approval.expiresAt?.toISOString() ?? null,
  bankUrl: approval.bankUrl,
  hasExpiredAtBank: approval.hasLapsedAtBank,
  isCapturedLater: approval.isCapturedLater,
  isPayerAbsent: approval.isPayerAway,
});

export const toApprovalDetail = (approval: ApprovalDetail) => ({
  ...toApproval(approval),
  paymentMethod: approval.paymentMethod,
  isMerchantInactive: approval.isMerchantInactive,
});

export const toPaymentMethod = (method: PaymentMethodView) => ({
  ...method,
  createdAt: method.createdAt.toISOString(),
});

export type WalletLimit = ReturnType<typeof toLimit>;
export type WalletMandate = ReturnType<typeof toMandate>;
export type WalletCharge = ReturnType<typeof toCharge>;
export type WalletEntry = ReturnType<typeof toEntry>;
export type WalletChargeDetail = ReturnType<typeof toChargeDetail>;
export type WalletNotice = ReturnType<typeof toNotice>;
export type WalletSpend = ReturnType<typeof toSpend>;
export type WalletApproval = ReturnType<typeof toApproval>;
export type WalletApprovalDetail = ReturnType<typeof toApprovalDetail>;
