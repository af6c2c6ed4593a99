import type { Metadata } from "next";
import { formatDateTime } from "#components/format/dates.ts";
import {
  componentStates,
  impacts,
  incidentStates,
  incidentUpdateStates,
  liveState,
  postmortemLabel,
} from "#components/format/labels/incident-labels.ts";
import { DraftActs } from "#components/operator/incidents/draft-acts.tsx";
import { IncidentActs } from "#components/operator/incidents/incident-acts.tsx";
import { PostmortemView } from "#components/operator/incidents/postmortem-view.tsx";
import { UpdateTimeline } from "#components/operator/incidents/update-timeline.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import styles from "#components/portal/portal.module.css";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { Pill } from "#components/ui/pill.tsx";
import { newId } from "#server/kernel/ids.ts";
import { orNotFound } from "../../../portal-context.ts";
import { statusOperatorPage } from "../../operator-context.ts";

export const metadata: Metadata = { title: "Incident" };

const IncidentPage = async ({ params }: { params: Promise<{ incidentId: string }> }) => {
  const { incidentId } = await params;
  const { api, reader, now } = await statusOperatorPage(`/operator/incidents/${encodeURIComponent(incidentId)}`);
  const incident = await orNotFound(api.operatorStatus.incident({ incidentId: incidentId.slice(0, 64) }));
  const { state } = incident;
  const live = liveState(state);
  const postmortem = postmortemLabel(incident.postmortem, reader.locale);
  return (
    <>
      <PageHead title={incident.title}>
        {state === "draft" ? "Probes opened it. Nobody sees it until you confirm it." : null}
      </PageHead>
      <Facts>
        <Fact name="State">
          <Pill tone={incidentStates[state].tone}>{incidentStates[state].label}</Pill>
        </Fact>
        <Fact name="Impact">{impacts[incident.impact]}</Fact>
        <Fact name="Components">
          <span className={styles.pills}>
            {incident.components.map(({ key, name, state: worst }) => (
              <Pill key={key} tone={componentStates[worst].tone}>
                {name}: {componentStates[worst].label.toLowerCase()}
              </Pill>
            ))}
            {incident.components.length === 0 ? "None named" : null}
          </span>
        </Fact>
        <Fact name="Began">{formatDateTime(new Date(incident.startedAt), reader)}</Fact>
        {incident.resolvedAt ? (
          <Fact name="Resolved">{formatDateTime(new Date(incident.resolvedAt), reader)}</Fact>
        ) : null}
        {postmortem ? (
          <Fact name="Postmortem">
            <Pill tone={postmortem.tone}>{postmortem.label}</Pill>
          </Fact>
        ) : null}
        <Fact name="Incident">{incident.id}</Fact>
      </Facts>
      {state === "draft" ? (
        <Section title="Confirm or dismiss">
          <DraftActs incident={incident} updateId={newId("upd")} />
        </Section>
      ) : null}
      {live ? (
        <Section title="Tell what is known now">
          <IncidentActs key={incident.updates.length} incident={incident} state={live} updateId={newId("upd")} />
        </Section>
      ) : null}
      {state === "resolved" ? (
        <Section
          title="Postmortem"
          act={
            <ButtonLink href={`/operator/incidents/${incident.id}/postmortem`} size="small">
              {incident.written ? "Change it" : "Write it"}
            </ButtonLink>
          }
        >
          {incident.written ? (
            <PostmortemView incidentId={incident.id} written={incident.written} locale={reader.locale} />
          ) : (
            <EmptyState title="None was written">
              {incident.impact === "critical"
                ? "A critical incident must have one within five working days of its resolution."
                : "This incident doesn’t need one; write one where others can learn from it."}
            </EmptyState>
          )}
        </Section>
      ) : null}
      <Section title="What was told">
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
