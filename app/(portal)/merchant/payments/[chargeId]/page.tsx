import type { Metadata } from "next";
import { formatDateTime } from "#components/format/dates.ts";
import { declineReason } from "#components/format/labels/mandate-labels.ts";
import { paymentStateLabel, possiblePaymentActions } from "#components/format/labels/payment-labels.ts";
import { formatAmount } from "#components/format/money.ts";
import { PaymentActs } from "#components/merchant/payments/payment-acts.tsx";
import { PaymentTimeline } from "#components/merchant/payments/payment-timeline.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { Pill } from "#components/ui/pill.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "Payment" };

const PaymentPage = async ({ params }: { params: Promise<{ chargeId: string }> }) => {
  const { chargeId } = await params;
  const { api, reader, businessNow, may } = await merchantPage(`/merchant/payments/${encodeURIComponent(chargeId)}`);
  const payment = await orNotFound(api.payments.payment({ chargeId }));
  const { tone, label } = paymentStateLabel(payment);
  const words = (minor: number) => formatAmount(minor, payment.currency, reader);
  const { isCapturable, refundableMinor } = possiblePaymentActions(payment);
  const canCapture = isCapturable && may("payment.capture");
  const canRefund = refundableMinor > 0 && may("payment.refund");
  return (
    <>
      <PageHead
        title={words(payment.amountMinor)}
        act={
          <PaymentActs
            locale={reader.locale}
            payment={{
              id: payment.id,
              currency: payment.currency,
              capturable: canCapture ? { minor: payment.amountMinor, words: words(payment.amountMinor) } : null,
              refundable: canRefund ? { minor: refundableMinor, words: words(refundableMinor) } : null,
            }}
          />
        }
      >
        {payment.reference ?? payment.id}
      </PageHead>
      <Facts>
        <Fact name="Status">
          <Pill tone={tone}>{label}</Pill>
          {payment.state === "declined" ? ` ${declineReason(payment.declineCode)}` : null}
        </Fact>
        {payment.amountCapturedMinor > 0 ? <Fact name="Captured">{words(payment.amountCapturedMinor)}</Fact> : null}
        {payment.amountRefundedMinor > 0 ? <Fact name="Refunded">{words(payment.amountRefundedMinor)}</Fact> : null}
        {payment.amountRefundingMinor > 0 ? (
          <Fact name="Being refunded">{words(payment.amountRefundingMinor)}</Fact>
        ) : null}
        <Fact name="Asked by">{payment.client.name}</Fact>
        <Fact name="Asked">{formatDateTime(new Date(payment.createdAt), reader)}</Fact>
        <Fact name="Payer">{payment.payerPresence === "in_session" ? "was there" : "was away"}</Fact>
        <Fact name="Capture">{payment.captureMethod === "manual" ? "by you" : "at once"}</Fact>
        {payment.transactionId ? <Fact name="Transaction">{payment.transactionId}</Fact> : null}
        <Fact name="Mandate">{payment.mandateId}</Fact>
        <Fact name="Charge">{payment.id}</Fact>
        {payment.processorRef ? <Fact name={`At ${payment.processor}`}>{payment.processorRef}</Fact> : null}
        {Object.entries(payment.metadata).map(([name, value]) => (
          <Fact key={name} name={`metadata.${name}`}>
            {value}
          </Fact>
        ))}
      </Facts>
      <Section title="Timeline">
        <PaymentTimeline payment={payment} now={businessNow} reader={reader} />
      </Section>
    </>
  );
};

export default PaymentPage;
