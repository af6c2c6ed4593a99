import type { Metadata } from "next";
import { cache } from "react";
import { formatAmount } from "#components/format/money.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { ChargeActs } from "#components/operator/charges/charge-acts.tsx";
import { ChargeDeliveries } from "#components/operator/charges/charge-deliveries.tsx";
import { ChargeDisputes } from "#components/operator/charges/charge-disputes.tsx";
import { ChargeFacts, SentRequest } from "#components/operator/charges/charge-facts.tsx";
import { ChargeRefunds } from "#components/operator/charges/charge-refunds.tsx";
import { chargesPath, reviewPath } from "#components/operator/charges/charge-tabs.tsx";
import { ChargeTimeline } from "#components/operator/charges/charge-timeline.tsx";
import { ChargeContradictions } from "#components/operator/charges/contradictions.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { operatorPage } from "../../operator-context.ts";

type Props = { params: Promise<{ chargeId: string }> };

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (chargeId: string) => {
  const page = await operatorPage(`/operator/charges/${encodeURIComponent(chargeId)}`, "recorded_charge.read");
  return { ...page, charge: await orNotFound(page.api.operatorCharges.get({ chargeId: chargeId.slice(0, 64) })) };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { charge, reader } = await load((await params).chargeId);
  return {
    title: pageTitle(
      `Charge ${formatAmount(charge.amountMinor, charge.currency, reader)}, ${charge.reference ?? charge.id}`,
    ),
  };
};

const OperatorChargePage = async ({ params }: Props) => {
  const { reader, now, businessNow, email, charge } = await load((await params).chargeId);
  return (
    <>
      <PageHead title={`${formatAmount(charge.amountMinor, charge.currency, reader)} at ${charge.merchant.name}`}>
        {charge.isUnderReview
          ? "The outcome of this charge is unknown. Find the payment at the processor, then settle the charge."
          : (charge.reference ?? charge.id)}
      </PageHead>
      {charge.isUnderReview ? (
        <ChargeActs chargeId={charge.id} isManual={charge.captureMethod === "manual"} email={email} />
      ) : null}
      {charge.contradictions.length > 0 ? (
        <Section title="Contradictions with the processor">
          <ChargeContradictions contradictions={charge.contradictions} email={email} now={now} reader={reader} />
        </Section>
      ) : null}
      <ChargeFacts charge={charge} reader={reader} />
      {charge.disputes.length > 0 ? (
        <Section title="Disputes">
          <ChargeDisputes charge={charge} now={businessNow} reader={reader} />
        </Section>
      ) : null}
      {charge.refunds.length > 0 ? (
        <Section title="Refunds">
          <ChargeRefunds charge={charge} now={businessNow} reader={reader} />
        </Section>
      ) : null}
      <Section title="Timeline">
        <ChargeTimeline charge={charge} now={now} reader={reader} />
      </Section>
      <Section title="Sent to the processor">
        <SentRequest charge={charge} reader={reader} />
      </Section>
      <Section title="Webhook deliveries">
        <ChargeDeliveries deliveries={charge.deliveries} now={now} reader={reader} />
      </Section>
      <div>
        <ButtonLink href={charge.isUnderReview ? reviewPath : chargesPath} size="small">
          {charge.isUnderReview ? "All charges needing review" : "All charges"}
        </ButtonLink>
      </div>
    </>
  );
};

export default OperatorChargePage;
