import type { Metadata } from "next";
import { formatDateTime, formatEnd, formatTimeZone } from "#components/format/dates.ts";
import { bareMandateStateLabel, isLiveMandate, mandateEnd } from "#components/format/labels/mandate-labels.ts";
import { describeSuspensions, operatorMandateActionLabel } from "#components/format/labels/operator-mandate-labels.ts";
import { formatList } from "#components/format/text.ts";
import { MandateActs } from "#components/operator/mandate-acts.tsx";
import { PastActs } from "#components/operator/past-acts.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import timeline from "#components/portal/timeline.module.css";
import { ButtonLink } from "#components/ui/button.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { Pill } from "#components/ui/pill.tsx";
import { MandateLimits } from "#components/wallet/mandates/mandate-limits.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { operatorPage } from "../../operator-context.ts";

export const metadata: Metadata = { title: "Mandate" };

const OperatorMandatePage = async ({ params }: { params: Promise<{ mandateId: string }> }) => {
  const { mandateId } = await params;
  const { api, reader, businessNow, email } = await operatorPage(`/operator/mandates/${encodeURIComponent(mandateId)}`);
  const mandate = await orNotFound(api.operatorMandates.get({ mandateId: mandateId.slice(0, 64) }));
  const { client, payer, suspendedBy } = mandate;
  const { tone, label } = bareMandateStateLabel(mandate.state);
  const zone = { ...reader, timeZone: mandate.timeZone };
  const places = mandate.payees.map((payee) => ("name" in payee ? payee.name : `category ${payee.category}`));
  return (
    <>
      <PageHead
        title={client.name}
        act={
          isLiveMandate(mandate) ? (
            <MandateActs
              mandateId={mandate.id}
              clientName={client.name}
              email={email}
              isSuspended={suspendedBy.includes("operator")}
            />
          ) : null
        }
      >
        {mandate.purpose ? `“${mandate.purpose}”` : "No purpose given"}
      </PageHead>
      <Facts>
        <Fact name="State">
          <Pill tone={tone}>{label}</Pill>
        </Fact>
        {suspendedBy.length > 0 && isLiveMandate(mandate) ? (
          <Fact name="Suspended by">{describeSuspensions(suspendedBy)}</Fact>
        ) : null}
        <Fact name="Mandate">{mandate.version > 1 ? `${mandate.id}, version ${mandate.version}` : mandate.id}</Fact>
        <Fact name="Payer">
          {payer.email}, {payer.id}
        </Fact>
        <Fact name="Client">{client.id}</Fact>
        <Fact name="May be used at">{places.length > 0 ? formatList(places) : "any registered merchant"}</Fact>
        <Fact name="Runs from">
          {formatDateTime(new Date(mandate.validFrom), zone)}, {formatTimeZone(mandate.timeZone)}
        </Fact>
        {isLiveMandate(mandate) ? (
          <Fact name="Runs until">
            {formatEnd(new Date(mandate.validUntil), zone)}, {formatTimeZone(mandate.timeZone)}
          </Fact>
        ) : (
          <Fact name="Ended">
            {formatDateTime(mandateEnd(mandate), zone)}, {formatTimeZone(mandate.timeZone)}
          </Fact>
        )}
      </Facts>
      <Section title="Limits">
        <MandateLimits mandate={mandate} reader={reader} canLower={false} />
      </Section>
      <Section title="What was done">
        <ol className={timeline.timeline}>
          <PastActs acts={mandate.history} nameOf={operatorMandateActionLabel} now={businessNow} reader={reader} />
        </ol>
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
