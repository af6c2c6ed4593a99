import type { Metadata } from "next";
import { cache } from "react";
import { incidentUpdateStates, liveState } from "#components/format/labels/incident-labels.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { DraftActs } from "#components/operator/incidents/draft-acts.tsx";
import { IncidentActs } from "#components/operator/incidents/incident-acts.tsx";
import { IncidentFacts } from "#components/operator/incidents/incident-facts.tsx";
import { IncidentPostmortem } from "#components/operator/incidents/incident-postmortem.tsx";
import { UpdateTimeline } from "#components/operator/incidents/update-timeline.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { newId } from "#server/kernel/ids.ts";
import { orNotFound } from "../../../portal-context.ts";
import { statusOperatorPage } from "../../operator-context.ts";

type Props = { params: Promise<{ incidentId: string }> };

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (incidentId: string) => {
  const page = await statusOperatorPage(`/operator/incidents/${encodeURIComponent(incidentId)}`);
  return {
    ...page,
    incident: await orNotFound(page.api.operatorStatus.incident({ incidentId: incidentId.slice(0, 64) })),
  };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { incident } = await load((await params).incidentId);
  return { title: pageTitle(`Incident: ${incident.title}`) };
};

const IncidentPage = async ({ params }: Props) => {
  const { reader, now, may, incident } = await load((await params).incidentId);
  const { state } = incident;
  const live = liveState(state);
  return (
    <>
      <PageHead title={incident.title}>
        {state === "draft" ? "Probes created this draft. It isn’t public until you confirm it." : null}
      </PageHead>
      <IncidentFacts incident={incident} reader={reader} />
      {state === "draft" && may("incident.publish") ? (
        <Section title="Confirm or dismiss">
          <DraftActs incident={incident} updateId={newId("upd")} />
        </Section>
      ) : null}
      {live && may("incident.publish") ? (
        <Section title="Post an update">
          <IncidentActs key={incident.updates.length} incident={incident} state={live} updateId={newId("upd")} />
        </Section>
      ) : null}
      {state === "resolved" ? <IncidentPostmortem incident={incident} locale={reader.locale} /> : null}
      <Section title="Updates">
        <UpdateTimeline
          updates={incident.updates.map((update) => ({ ...update, ...incidentUpdateStates[update.state] }))}
          now={now}
          reader={reader}
        />
      </Section>
      <div>
        <ButtonLink href="/operator/incidents" size="small">
          All incidents
        </ButtonLink>
      </div>
    </>
  );
};

export default IncidentPage;
