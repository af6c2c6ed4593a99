import type { OperatorChargeDetail } from "#server/trpc/operator/charges/charge-detail-view.ts";
import { formatDateTime } from "../../format/dates.ts";
import { describeDecline } from "../../format/labels/payment-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { sentenceCase } from "../../format/text.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Link } from "../../ui/link.tsx";
import { Pill } from "../../ui/pill.tsx";
import { operatorChargeStateLabel } from "../labels/operator-charge-labels.ts";

export const ChargeFacts = ({ charge, reader }: { charge: OperatorChargeDetail; reader: Reader }) => {
  const { tone, label } = operatorChargeStateLabel(charge);
  const amount = (minor: number) => formatAmount(minor, charge.currency, reader);
  return (
    <Facts>
      <Fact name="Status">
        <Pill tone={tone}>{label}</Pill>
        {describeDecline(charge)}
      </Fact>
      {charge.amountCapturedMinor > 0 ? <Fact name="Captured">{amount(charge.amountCapturedMinor)}</Fact> : null}
      {charge.amountRefundedMinor > 0 ? <Fact name="Refunded">{amount(charge.amountRefundedMinor)}</Fact> : null}
      {charge.amountRefundingMinor > 0 ? (
        <Fact name="Refund in progress">{amount(charge.amountRefundingMinor)}</Fact>
      ) : null}
      <Fact name="Charge ID">{charge.id}</Fact>
      <Fact name="Created">{formatDateTime(new Date(charge.createdAt), reader)}</Fact>
      <ChargeParties charge={charge} />
      {charge.reference ? <Fact name="Reference">{charge.reference}</Fact> : null}
      {charge.transactionId ? <Fact name="Transaction ID">{charge.transactionId}</Fact> : null}
      <Fact name="Payer present">{charge.payerPresence === "in_session" ? "Yes" : "No"}</Fact>
      <Fact name="Capture">{sentenceCase(charge.captureMethod)}</Fact>
      {charge.declineCode ? <Fact name="Decline code">{charge.declineCode}</Fact> : null}
      {Object.entries(charge.metadata).map(([name, value]) => (
        <Fact key={name} name={`metadata.${name}`}>
          {value}
        </Fact>
      ))}
    </Facts>
  );
};

const ChargeParties = ({ charge }: { charge: OperatorChargeDetail }) => (
  <>
    <Fact name="Merchant">
      <Link href={`/operator/merchants/${charge.merchant.id}`}>{charge.merchant.name}</Link>
    </Fact>
    <Fact name="Mandate">
      <Link href={`/operator/mandates/${charge.mandateId}`}>{charge.mandateId}</Link>
    </Fact>
    <Fact name="Payer">
      <Link href={`/operator/payers/${charge.payerId}`}>{charge.payerEmail}</Link>
    </Fact>
    <Fact name="Agent">
      <Link href={`/operator/clients/${charge.agent.id}`}>{charge.agent.name}</Link>
    </Fact>
    <Fact name="Merchant’s app">
      <Link href={`/operator/clients/${charge.merchantApp.id}`}>{charge.merchantApp.name}</Link>
    </Fact>
  </>
);

/** The request that was sent to the processor. Its values help to find the payment there. */
export const SentRequest = ({ charge, reader }: { charge: OperatorChargeDetail; reader: Reader }) => {
  const { sent } = charge;
  if (!sent) return <EmptyState title="Nothing was sent">This charge was never sent to a processor.</EmptyState>;
  return (
    <Facts>
      <Fact name="Processor">{sentenceCase(charge.processor)}</Fact>
      <Fact name="Account">{sent.account}</Fact>
      <Fact name="Idempotency key">{sent.key}</Fact>
      <Fact name="Amount">{formatAmount(charge.amountMinor, charge.currency, reader)}</Fact>
      <Fact name="Capture">{sentenceCase(sent.capture)}</Fact>
      <Fact name="Payment method">{sent.paymentMethodRef}</Fact>
      <Fact name="Payer present">{sent.payerPresence === "in_session" ? "Yes" : "No"}</Fact>
      <Fact name="Sent">{formatDateTime(new Date(sent.at), reader)}</Fact>
      <Fact name="Processor’s payment ID">{charge.processorRef ?? "Unknown"}</Fact>
    </Facts>
  );
};
