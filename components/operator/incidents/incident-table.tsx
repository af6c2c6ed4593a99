import type { OperatorIncident } from "#server/trpc/operator/operator-status-views.ts";
import { formatRelativeDateTime } from "../../format/dates.ts";
import { impacts, incidentStates, postmortemLabel } from "../../format/labels/incident-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { formatList } from "../../format/text.ts";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, RowLink, Table } from "../../ui/table.tsx";

/** Incidents, newest first. */
export const IncidentTable = ({
  incidents,
  now,
  reader,
}: {
  incidents: readonly OperatorIncident[];
  now: Date;
  reader: Reader;
}) => (
  <Table caption="Incidents" columns={["Incident", { short: "Impact" }, { date: "Began" }, { short: "Status" }]}>
    <tbody>
      {incidents.map((incident) => {
        const { tone, label } = incidentStates[incident.state];
        const began = formatRelativeDateTime(new Date(incident.startedAt), now, reader);
        const postmortem = postmortemLabel(incident.postmortem, reader.locale);
        return (
          <tr key={incident.id}>
            <td>
              <RowLink href={`/operator/incidents/${incident.id}`}>{incident.title}</RowLink>
              <CellNote>{formatList(incident.components.map(({ name }) => name))}</CellNote>
              {postmortem ? <CellNote>{postmortem.label}</CellNote> : null}
            </td>
            <td>{impacts[incident.impact]}</td>
            <td className="muted">{began}</td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
