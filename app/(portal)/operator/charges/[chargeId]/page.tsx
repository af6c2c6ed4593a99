import type { Metadata } from "next";
import { cache } from "react";
import { formatAmount } from "#components/format/money.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { ChargeActs } from "#components/operator/charges/charge-acts.tsx";
import { ChargeFacts, SentRequest } from "#components/operator/charges/charge-facts.tsx";
import { ChargeTimeline } from "#components/operator/charges/charge-timeline.tsx";
import { ChargeContradictions } from "#components/operator/charges/contradictions.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { operatorPage } from "../../operator-context.ts";

type Props = { params: Promise<{ chargeId: string }> };

/** Cached per request, for the title and the page. */
const load = cache(async (chargeId: string) => {
  const page = await operatorPage(`/operator/charges/${encodeURIComponent(chargeId)}`);
  return { ...page, charge: await orNotFound(page.api.operator.charge({ chargeId: chargeId.slice(0, 64) })) };
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
  const { reader, now, email, charge } = await load((await params).chargeId);
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
