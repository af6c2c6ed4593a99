import type { Metadata } from "next";
import { formatDateTime } from "#components/format/dates.ts";
import { operatorChargeStateLabel } from "#components/format/labels/operator-charge-labels.ts";
import { formatAmount } from "#components/format/money.ts";
import { ChargeActs } from "#components/operator/charges/charge-acts.tsx";
import { ChargeTimeline } from "#components/operator/charges/charge-timeline.tsx";
import { ChargeContradictions } from "#components/operator/charges/contradictions.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { Pill } from "#components/ui/pill.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { operatorPage } from "../../operator-context.ts";

export const metadata: Metadata = { title: "Charge" };

const OperatorChargePage = async ({ params }: { params: Promise<{ chargeId: string }> }) => {
  const { chargeId } = await params;
  const { api, reader, now, email } = await operatorPage(`/operator/charges/${encodeURIComponent(chargeId)}`);
  const charge = await orNotFound(api.operator.charge({ chargeId: chargeId.slice(0, 64) }));
  const { tone, label } = operatorChargeStateLabel(charge);
  const amount = formatAmount(charge.amountMinor, charge.currency, reader);
  const { sent } = charge;
  return (
    <>
      <PageHead title={`${amount} at ${charge.merchant.name}`}>
        {charge.isUnderReview
          ? "No look-up could tell what became of this charge. Find it in the processor’s books, then settle it."
          : "This charge isn’t an operator’s to settle any more."}
      </PageHead>
      {charge.isUnderReview ? (
        <ChargeActs chargeId={charge.id} isManual={charge.captureMethod === "manual"} email={email} />
      ) : null}
      {charge.contradictions.length > 0 ? (
        <Section title="The processor says otherwise">
          <ChargeContradictions contradictions={charge.contradictions} email={email} now={now} reader={reader} />
        </Section>
      ) : null}
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
      <Section title="Sent to the processor">
        {sent ? (
          <Facts>
            <Fact name="Processor">{charge.processor}</Fact>
            <Fact name="Account">{sent.account}</Fact>
            <Fact name="Idempotency key">{sent.key}</Fact>
            <Fact name="Amount">{amount}</Fact>
            <Fact name="Capture">{sent.capture}</Fact>
            <Fact name="Payment method">{sent.paymentMethodRef}</Fact>
            <Fact name="Payer’s presence">{sent.payerPresence === "in_session" ? "present" : "away"}</Fact>
            <Fact name="Sent">{formatDateTime(new Date(sent.at), reader)}</Fact>
            <Fact name="Processor’s id">{charge.processorRef ?? "not known"}</Fact>
          </Facts>
        ) : (
          <EmptyState title="Nothing was sent">No processor has heard of this charge.</EmptyState>
        )}
      </Section>
      <Section title="Timeline">
        <ChargeTimeline charge={charge} now={now} reader={reader} />
      </Section>
      <div>
        <ButtonLink href="/operator/charges" size="small">
          All that wait
        </ButtonLink>
      </div>
    </>
  );
};

export default OperatorChargePage;
