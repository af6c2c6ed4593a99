import { z } from "zod";
import type { PaymentDetail, PaymentView } from "../../charges/lists/find-payments.ts";
import type { summarizePayments } from "../../charges/lists/summarize-payments.ts";
import type { Trend } from "../../charges/rules/payment-trend.ts";

/** Plain JSON for the pages, with amounts in minor units and times as RFC 3339 texts. */
export const toPayment = (payment: PaymentView) => ({
  id: payment.id,
  state: payment.state,
  amountMinor: Number(payment.amount),
  amountCapturedMinor: Number(payment.amountCaptured),
  amountRefundedMinor: Number(payment.amountRefunded),
  currency: payment.currency,
  reference: payment.reference,
  declineCode: payment.decline?.decline_code ?? null,
  createdAt: payment.createdAt.toISOString(),
  client: payment.mandate.client,
  mandateId: payment.mandateId,
});

export const toPaymentDetail = (payment: PaymentDetail) => ({
  ...toPayment(payment),
  /** refunds in progress */
  amountRefundingMinor: Number(payment.amountRefunding),
  captureMethod: payment.captureMethod,
  payerPresence: payment.payerPresence,
  transactionId: payment.transactionId,
  metadata: z.record(z.string(), z.string()).catch({}).parse(payment.metadata),
  decline: payment.decline,
  pendingAct: payment.pendingAct?.kind ?? null,
  processor: payment.processor,
  processorRef: payment.processorRef,
  refunds: payment.refunds.map((refund) => ({
    id: refund.id,
    amountMinor: Number(refund.amount),
    status: refund.status,
    createdAt: refund.createdAt.toISOString(),
  })),
  timeline: payment.timeline.map(({ at, actorKind, subjectId, action, data }) => ({
    at: at.toISOString(),
    actorKind,
    subjectId,
    action,
    amountMinor: z.object({ amount: z.number() }).safeParse(data).data?.amount ?? null,
  })),
});

const toTrendView = ({ currencies, ...rates }: Trend) => ({
  ...rates,
  currencies: currencies.map(({ currency, days, net, previousNet }) => ({
    currency,
    netMinor: Number(net),
    previousNetMinor: Number(previousNet),
    days: days.map((point) => ({ day: point.day, netMinor: Number(point.net), previousMinor: Number(point.previous) })),
  })),
});

type Overview = Awaited<ReturnType<typeof summarizePayments>>;

const toVolume = ({ currency, captured, refunded }: Overview["volumes"][number]) => ({
  currency,
  capturedMinor: Number(captured),
  refundedMinor: Number(refunded),
});

export const toOverview = ({ volumes, previous, waiting, recent, trend, ...counts }: Overview) => ({
  ...counts,
  trend: toTrendView(trend),
  volumes: volumes.map(toVolume),
  previous: { ...previous, volumes: previous.volumes.map(toVolume) },
  waiting: waiting.map(toPayment),
  recent: recent.map(toPayment),
});

export type MerchantPayment = ReturnType<typeof toPayment>;
export type MerchantPaymentDetail = ReturnType<typeof toPaymentDetail>;
export type MerchantTrend = ReturnType<typeof toTrendView>;
