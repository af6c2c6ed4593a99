import type { OperatorMaintenance } from "#server/trpc/operator/operator-status-views.ts";
import { formatDateTimeRange } from "../../format/dates.ts";
import { maintenanceStates } from "../../format/labels/maintenance-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { formatList } from "../../format/text.ts";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, RowLink, Table } from "../../ui/table.tsx";

/** Maintenance windows, the latest first. */
export const MaintenanceTable = ({
  maintenances,
  reader,
}: {
  maintenances: readonly OperatorMaintenance[];
  reader: Reader;
}) => (
  <Table caption="Maintenance" columns={["Maintenance", { date: "Window" }, { short: "Status" }]}>
    <tbody>
      {maintenances.map(({ id, title, components, from, to, state }) => {
        const window = formatDateTimeRange(new Date(from), new Date(to), reader);
        return (
          <tr key={id}>
            <td>
              <RowLink href={`/operator/maintenance/${id}`}>{title}</RowLink>
              <CellNote>{formatList(components)}</CellNote>
            </td>
            <td className="muted">{window}</td>
            <td>
              <Pill tone={maintenanceStates[state].tone}>{maintenanceStates[state].label}</Pill>
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
