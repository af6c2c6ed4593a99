import type { MerchantPaymentDetail } from "#server/trpc/merchant/payment-views.ts";
import { formatDateTime } from "../../format/dates.ts";
import { describeDecline, paymentStateLabel } from "../../format/labels/payment-labels.ts";
import { processorInSentence } from "../../format/labels/processor-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Link } from "../../ui/link.tsx";
import { Pill } from "../../ui/pill.tsx";

export const PaymentFacts = ({ payment, reader }: { payment: MerchantPaymentDetail; reader: Reader }) => {
  const { tone, label } = paymentStateLabel(payment);
  const amount = (minor: number) => formatAmount(minor, payment.currency, reader);
  return (
    <Facts>
      <Fact name="Status">
        <Pill tone={tone}>{label}</Pill>
        {describeDecline(payment)}
      </Fact>
      {payment.amountCapturedMinor > 0 ? <Fact name="Captured">{amount(payment.amountCapturedMinor)}</Fact> : null}
      {payment.amountRefundedMinor > 0 ? <Fact name="Refunded">{amount(payment.amountRefundedMinor)}</Fact> : null}
      {payment.amountRefundingMinor > 0 ? (
        <Fact name="Refund in progress">{amount(payment.amountRefundingMinor)}</Fact>
      ) : null}
      <Fact name="Agent">{payment.client.name}</Fact>
      <Fact name="Requested">{formatDateTime(new Date(payment.createdAt), reader)}</Fact>
      <Fact name="Payer present">{payment.payerPresence === "in_session" ? "Yes" : "No"}</Fact>
      <Fact name="Capture">{payment.captureMethod === "manual" ? "Manual" : "Automatic"}</Fact>
      {payment.transactionId ? <Fact name="Transaction ID">{payment.transactionId}</Fact> : null}
      <Fact name="Mandate">
        <Link href={`/merchant/mandates/${payment.mandateId}`}>{payment.mandateId}</Link>
      </Fact>
      <Fact name="Payment ID">{payment.id}</Fact>
      {payment.processorRef ? (
        <Fact name={`Payment ID at ${processorInSentence(payment.processor)}`}>{payment.processorRef}</Fact>
      ) : null}
      {Object.entries(payment.metadata).map(([name, value]) => (
        <Fact key={name} name={`metadata.${name}`}>
          {value}
        </Fact>
      ))}
    </Facts>
  );
};
