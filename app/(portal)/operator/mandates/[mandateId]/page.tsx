import type { Metadata } from "next";
import { cache } from "react";
import { isLiveMandate } from "#components/format/labels/mandate-labels.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { AuditTimeline } from "#components/operator/audit-timeline.tsx";
import { operatorMandateActionLabel } from "#components/operator/labels/operator-mandate-labels.ts";
import { OperatorMandateActs } from "#components/operator/mandate-acts.tsx";
import { OperatorMandateFacts } from "#components/operator/mandate-facts.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { MandateLimits } from "#components/wallet/mandates/mandate-limits.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { operatorPage } from "../../operator-context.ts";

type Props = { params: Promise<{ mandateId: string }> };

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (mandateId: string) => {
  const page = await operatorPage(`/operator/mandates/${encodeURIComponent(mandateId)}`);
  return { ...page, mandate: await orNotFound(page.api.operatorMandates.get({ mandateId: mandateId.slice(0, 64) })) };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { mandate } = await load((await params).mandateId);
  return { title: pageTitle(`Mandate of ${mandate.payer.email}, ${mandate.client.name}`) };
};

const OperatorMandatePage = async ({ params }: Props) => {
  const { reader, businessNow, email, mandate } = await load((await params).mandateId);
  return (
    <>
      <PageHead
        title={mandate.client.name}
        act={
          isLiveMandate(mandate) ? (
            <OperatorMandateActs
              mandateId={mandate.id}
              clientName={mandate.client.name}
              email={email}
              isSuspended={mandate.suspendedBy.includes("operator")}
            />
          ) : null
        }
      >
        {mandate.purpose ? `“${mandate.purpose}”` : "No purpose given"}
      </PageHead>
      <OperatorMandateFacts mandate={mandate} reader={reader} />
      <Section title="Limits">
        <MandateLimits mandate={mandate} now={businessNow} reader={reader} canLower={false} />
      </Section>
      <Section title="History">
        <AuditTimeline
          entries={mandate.history}
          actionName={operatorMandateActionLabel}
          now={businessNow}
          reader={reader}
        />
      </Section>
      <div>
        <ButtonLink href="/operator/mandates" size="small">
          Search mandates
        </ButtonLink>
      </div>
    </>
  );
};

export default OperatorMandatePage;
