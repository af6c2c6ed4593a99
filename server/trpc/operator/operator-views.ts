import { z } from "zod";
import type { PastAct } from "../../audit/past-acts.ts";
import type { OperatorCharge } from "../../data/charges/charges-under-review.ts";
import type { OpenContradiction } from "../../data/charges/contradictions.ts";
import type { MailRow } from "../../data/mail/outbox.ts";
import type { FoundMandate } from "../../data/mandates/mandate-search.ts";
import type { MerchantRow } from "../../data/merchants/merchants.ts";
import type { MandateForOperator } from "../../mandates/get-mandate-for-operator.ts";
import { logoPreviewAddress } from "../../merchants/brand.ts";
import type { MerchantForOperator } from "../../merchants/get-merchant.ts";
import { toMandate } from "../wallet/views.ts";

/** Plain JSON for the operator pages, with times as RFC 3339 texts. */
export const toMail = (mail: MailRow) => ({
  id: mail.id,
  kind: mail.kind,
  recipient: mail.recipient,
  subject: mail.subject,
  state: mail.state,
  attempts: mail.attempts,
  problem: mail.problem,
  createdAt: mail.createdAt.toISOString(),
  endedAt: mail.endedAt?.toISOString() ?? null,
  nextAttemptAt: mail.nextAttemptAt?.toISOString() ?? null,
});

export type OperatorMail = ReturnType<typeof toMail>;

export const toOperatorCharge = (charge: OperatorCharge) => ({
  id: charge.id,
  state: charge.state,
  amountMinor: Number(charge.amount),
  currency: charge.currency,
  reference: charge.reference,
  captureMethod: charge.captureMethod,
  merchant: { id: charge.merchantId, name: charge.merchantName },
  mandateId: charge.mandateId,
  payerId: charge.payerId,
  processor: charge.processor,
  processorRef: charge.processorRef,
  declineCode: charge.decline?.decline_code ?? null,
  lookups: charge.lookups,
  createdAt: charge.createdAt.toISOString(),
});

/** An audit entry of one object, with the operator's reason. */
export const toAuditEntry = ({ at, data, ...entry }: PastAct) => ({
  ...entry,
  at: at.toISOString(),
  reason: reasonOf(data),
  change: changeOf(data),
  amountMinor: amountOf(data),
});

/** The previous and the new value. */
const changed = z.object({ from: z.string(), to: z.string() });
const changeOf = (data: unknown): { from: string; to: string } | null => changed.safeParse(data).data ?? null;

const amountOf = (data: unknown): number | null =>
  z.object({ amount: z.number() }).safeParse(data).data?.amount ?? null;

const reasonOf = (data: unknown): string | null => {
  const reason: unknown = typeof data === "object" && data !== null ? Reflect.get(data, "reason") : null;
  return typeof reason === "string" ? reason : null;
};

export const toContradiction = (contradiction: OpenContradiction) => ({
  id: contradiction.id,
  about: contradiction.about,
  processorRef: contradiction.processorRef,
  reported: contradiction.reported,
  amountMinor: Number(contradiction.amount),
  currency: contradiction.currency,
  raisedAt: contradiction.raisedAt.toISOString(),
  processor: contradiction.processor,
  charge: { id: contradiction.chargeId, state: contradiction.chargeState, reference: contradiction.reference },
  merchantName: contradiction.merchantName,
});

export const toMerchant = (merchant: MerchantRow) => ({
  id: merchant.id,
  name: merchant.displayName,
  legalName: merchant.legalName,
  mcc: merchant.mcc,
  processor: merchant.processor,
  processorAccount: merchant.processorAccount,
  createdAt: merchant.createdAt.toISOString(),
  suspendedAt: merchant.suspendedAt?.toISOString() ?? null,
  standing: merchant.standing,
  review: merchant.review,
  reviewReason: merchant.reviewReason,
  country: merchant.country,
  websiteUri: merchant.websiteUri,
});

export const toMerchantForOperator = ({ merchant, version, logoHash, account, ...rest }: MerchantForOperator) => ({
  ...toMerchant(merchant),
  currency: merchant.currency,
  timeZone: merchant.timeZone,
  version,
  logo: logoHash === null ? null : { hash: logoHash, uri: logoPreviewAddress(merchant.id, logoHash) },
  account: {
    isConnectable: account.isConnectable,
    state: account.state,
    due: account.due,
    checkedAt: account.checkedAt?.toISOString() ?? null,
  },
  managers: rest.managers,
  history: rest.history.map(toAuditEntry),
});

export const toFoundMandate = (mandate: FoundMandate) => ({
  id: mandate.id,
  state: mandate.state,
  purpose: mandate.purpose,
  clientName: mandate.clientName,
  payerEmail: mandate.payerEmail,
  createdAt: mandate.createdAt.toISOString(),
});

export const toMandateForOperator = ({ mandate, payer, history }: MandateForOperator) => ({
  ...toMandate(mandate),
  payer,
  history: history.map(toAuditEntry),
});

export type OperatorFoundMandate = ReturnType<typeof toFoundMandate>;
export type OperatorMerchantDetail = ReturnType<typeof toMerchantForOperator>;
export type OperatorMerchant = ReturnType<typeof toMerchant>;
export type OperatorAuditEntry = ReturnType<typeof toAuditEntry>;
export type OperatorContradiction = ReturnType<typeof toContradiction>;
export type OperatorChargeView = ReturnType<typeof toOperatorCharge>;
