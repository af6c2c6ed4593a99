import type { OperatorIncidentDetail } from "#server/trpc/operator/operator-status-views.ts";
import { formatDateTime } from "../../format/dates.ts";
import { componentStates, impacts, incidentStates, postmortemLabel } from "../../format/labels/incident-labels.ts";
import type { Reader } from "../../format/reader.ts";
import styles from "../../portal/portal.module.css";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Pill } from "../../ui/pill.tsx";

export const IncidentFacts = ({ incident, reader }: { incident: OperatorIncidentDetail; reader: Reader }) => {
  const { tone, label } = incidentStates[incident.state];
  const postmortem = postmortemLabel(incident.postmortem, reader.locale);
  return (
    <Facts>
      <Fact name="Status">
        <Pill tone={tone}>{label}</Pill>
      </Fact>
      <Fact name="Impact">{impacts[incident.impact]}</Fact>
      <Fact name="Affected components (worst state)">
        <span className={styles.pills}>
          {incident.components.map(({ key, name, state: worst }) => (
            <Pill key={key} tone={componentStates[worst].tone}>
              {name}: {componentStates[worst].label.toLowerCase()}
            </Pill>
          ))}
          {incident.components.length === 0 ? "None" : null}
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
      <Fact name="Incident ID">{incident.id}</Fact>
    </Facts>
  );
};
