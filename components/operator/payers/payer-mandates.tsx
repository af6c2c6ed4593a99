import type { OperatorFoundMandate } from "#server/trpc/operator/operator-views.ts";
import { formatShortDate } from "../../format/dates.ts";
import { bareMandateStateLabel } from "../../format/labels/mandate-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { Pill } from "../../ui/pill.tsx";
import { RowLink, Table } from "../../ui/table.tsx";

/** The newest mandates of one payer. */
export const PayerMandates = ({ mandates, reader }: { mandates: readonly OperatorFoundMandate[]; reader: Reader }) => (
  <Table caption="Mandates" columns={["App", "Purpose", { date: "Created" }, { short: "Status" }]}>
    <tbody>
      {mandates.map((mandate) => {
        const { tone, label } = bareMandateStateLabel(mandate.state);
        return (
          <tr key={mandate.id}>
            <td>
              <RowLink href={`/operator/mandates/${mandate.id}`}>{mandate.clientName}</RowLink>
            </td>
            <td>{mandate.purpose || "None"}</td>
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
