import type { PaymentMethodView } from "../../accounts/payment-methods/list-payment-methods.ts";
import type { ApprovalDetail, PayerApproval } from "../../charges/approvals/find-approvals.ts";
import type { PayerCharge } from "../../charges/lists/list-charges.ts";
import type { LimitView, MandateView } from "../../mandates/find-mandates.ts";

/**
 * What pages receive: plain JSON. Amounts are minor units as numbers, which represent every amount of a mandate exactly
 * (at most 99,999,999,999). Instants are RFC 3339 texts.
 */
const toLimit = (limit: LimitView) => ({
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
  amountRefundedMinor: Number(charge.amountRefundedMinor),
  currency: charge.currency,
  reference: charge.reference,
  declineCode: charge.decline?.decline_code ?? null,
  createdAt: charge.createdAt.toISOString(),
  merchant: charge.merchant,
  client: charge.client,
  mandate: charge.mandate,
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
  isMerchantSuspended: approval.isMerchantSuspended,
});

export const toPaymentMethod = (method: PaymentMethodView) => ({
  ...method,
  createdAt: method.createdAt.toISOString(),
});

export type WalletLimit = ReturnType<typeof toLimit>;
export type WalletMandate = ReturnType<typeof toMandate>;
export type WalletCharge = ReturnType<typeof toCharge>;
export type WalletApproval = ReturnType<typeof toApproval>;
export type WalletApprovalDetail = ReturnType<typeof toApprovalDetail>;
