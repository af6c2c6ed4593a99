import type { Metadata } from "next";
import { formatAmount } from "#components/format/money.ts";
import { ChargeActs } from "#components/operator/charges/charge-acts.tsx";
import { ChargeFacts, SentRequest } from "#components/operator/charges/charge-facts.tsx";
import { ChargeTimeline } from "#components/operator/charges/charge-timeline.tsx";
import { ChargeContradictions } from "#components/operator/charges/contradictions.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { operatorPage } from "../../operator-context.ts";

export const metadata: Metadata = { title: "Charge" };

const OperatorChargePage = async ({ params }: { params: Promise<{ chargeId: string }> }) => {
  const { chargeId } = await params;
  const { api, reader, now, email } = await operatorPage(`/operator/charges/${encodeURIComponent(chargeId)}`);
  const charge = await orNotFound(api.operator.charge({ chargeId: chargeId.slice(0, 64) }));
  return (
    <>
      <PageHead title={`${formatAmount(charge.amountMinor, charge.currency, reader)} at ${charge.merchant.name}`}>
        {charge.isUnderReview
          ? "The outcome of this charge is unknown. Find the payment at the processor, then settle the charge."
          : "This charge doesn’t need review."}
      </PageHead>
      {charge.isUnderReview ? (
        <ChargeActs chargeId={charge.id} isManual={charge.captureMethod === "manual"} email={email} />
      ) : null}
      {charge.contradictions.length > 0 ? (
        <Section title="Contradictions with the processor">
          <ChargeContradictions contradictions={charge.contradictions} email={email} now={now} reader={reader} />
        </Section>
      ) : null}
      <ChargeFacts charge={charge} />
      <Section title="Sent to the processor">
        <SentRequest charge={charge} reader={reader} />
      </Section>
      <Section title="Timeline">
        <ChargeTimeline charge={charge} now={now} reader={reader} />
      </Section>
      <div>
        <ButtonLink href="/operator/charges" size="small">
          All charges needing review
        </ButtonLink>
      </div>
    </>
  );
};

export default OperatorChargePage;
