import Link from "next/link";
import type { OperatorIncident } from "#server/trpc/operator/operator-status-views.ts";
import { impacts, incidentStates, postmortemWords } from "../../format/incident-labels.ts";
import { listed, moment, type Reader } from "../../format/values.ts";
import styles from "../../portal/portal.module.css";
import { Pill } from "../../ui/pill.tsx";
import { Table, Under } from "../../ui/table.tsx";

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
  <Table caption="Incidents" columns={["Incident", { wide: "Impact" }, { wide: "Began" }, "State"]}>
    <tbody>
      {incidents.map((incident) => {
        const { tone, label } = incidentStates[incident.state];
        const began = moment(new Date(incident.startedAt), now, reader);
        const postmortem = postmortemWords(incident.postmortem, reader.locale);
        return (
          <tr key={incident.id}>
            <td>
              <Link href={`/operator/incidents/${incident.id}`} prefetch={false}>
                {incident.title}
              </Link>
              <Under>{listed(incident.components.map(({ name }) => name))}</Under>
              <Under isNarrow>{began}</Under>
              {postmortem ? <Under>{postmortem.label}</Under> : null}
            </td>
            <td className={styles.whole} data-wide>
              {impacts[incident.impact]}
            </td>
            <td className={`muted ${styles.whole}`} data-wide>
              {began}
            </td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
