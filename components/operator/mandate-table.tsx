import type { OperatorFoundMandate } from "#server/trpc/operator/operator-views.ts";
import { formatShortDate } from "../format/dates.ts";
import { bareMandateStateLabel } from "../format/labels/mandate-labels.ts";
import type { Reader } from "../format/reader.ts";
import { Pill } from "../ui/pill.tsx";
import { CellNote, RowLink, Table } from "../ui/table.tsx";

/** Mandates of all payers, newest first. */
export const MandateTable = ({ mandates, reader }: { mandates: readonly OperatorFoundMandate[]; reader: Reader }) => (
  <Table caption="Mandates" columns={["Mandate", "Payer", { date: "Created" }, { short: "Status" }]}>
    <tbody>
      {mandates.map((mandate) => {
        const { tone, label } = bareMandateStateLabel(mandate.state);
        return (
          <tr key={mandate.id}>
            <td>
              <RowLink href={`/operator/mandates/${mandate.id}`}>{mandate.clientName}</RowLink>
              <CellNote>{mandate.purpose || <code>{mandate.id}</code>}</CellNote>
            </td>
            <td>{mandate.payerEmail}</td>
            <td className="muted">{formatShortDate(new Date(mandate.createdAt), reader)}</td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
