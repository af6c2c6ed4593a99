import type { OperatorChargeDetail } from "#server/trpc/operator/operator-views.ts";
import { formatDateTime } from "../../format/dates.ts";
import { operatorChargeStateLabel } from "../../format/labels/operator-charge-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Pill } from "../../ui/pill.tsx";

export const ChargeFacts = ({ charge }: { charge: OperatorChargeDetail }) => {
  const { tone, label } = operatorChargeStateLabel(charge);
  return (
    <Facts>
      <Fact name="State">
        <Pill tone={tone}>{label}</Pill>
      </Fact>
      <Fact name="Charge">{charge.id}</Fact>
      <Fact name="Merchant">{charge.merchant.id}</Fact>
      {charge.reference ? <Fact name="Reference">{charge.reference}</Fact> : null}
      <Fact name="Mandate">{charge.mandateId}</Fact>
      <Fact name="Payer">{charge.payerId}</Fact>
      {charge.declineCode ? <Fact name="Decline code">{charge.declineCode}</Fact> : null}
    </Facts>
  );
};

/** The request that the processor got, to find the payment there. */
export const SentRequest = ({ charge, reader }: { charge: OperatorChargeDetail; reader: Reader }) => {
  const { sent } = charge;
  if (!sent) return <EmptyState title="Nothing was sent">This charge was never sent to a processor.</EmptyState>;
  return (
    <Facts>
      <Fact name="Processor">{charge.processor}</Fact>
      <Fact name="Account">{sent.account}</Fact>
      <Fact name="Idempotency key">{sent.key}</Fact>
      <Fact name="Amount">{formatAmount(charge.amountMinor, charge.currency, reader)}</Fact>
      <Fact name="Capture">{sent.capture}</Fact>
      <Fact name="Payment method">{sent.paymentMethodRef}</Fact>
      <Fact name="Payer present">{sent.payerPresence === "in_session" ? "yes" : "no"}</Fact>
      <Fact name="Sent">{formatDateTime(new Date(sent.at), reader)}</Fact>
      <Fact name="Processor’s payment ID">{charge.processorRef ?? "unknown"}</Fact>
    </Facts>
  );
};
