import type { Metadata } from "next";
import { isLiveMandate } from "#components/format/labels/mandate-labels.ts";
import { operatorMandateActionLabel } from "#components/format/labels/operator-mandate-labels.ts";
import { AuditTimeline } from "#components/operator/audit-timeline.tsx";
import { OperatorMandateActs } from "#components/operator/mandate-acts.tsx";
import { OperatorMandateFacts } from "#components/operator/mandate-facts.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { MandateLimits } from "#components/wallet/mandates/mandate-limits.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { operatorPage } from "../../operator-context.ts";

export const metadata: Metadata = { title: "Mandate" };

const OperatorMandatePage = async ({ params }: { params: Promise<{ mandateId: string }> }) => {
  const { mandateId } = await params;
  const { api, reader, businessNow, email } = await operatorPage(`/operator/mandates/${encodeURIComponent(mandateId)}`);
  const mandate = await orNotFound(api.operatorMandates.get({ mandateId: mandateId.slice(0, 64) }));
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
        <MandateLimits mandate={mandate} reader={reader} canLower={false} />
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
