import type { OperatorPayer } from "#server/trpc/operator/payers/payer-views.ts";
import { formatShortDate } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { RowLink, Table } from "../../ui/table.tsx";

/** The clients that have a grant of the payer, most recently approved first. */
export const PayerApps = ({ apps, reader }: Pick<OperatorPayer, "apps"> & { reader: Reader }) => (
  <Table caption="Connected apps" columns={["App", { date: "Connected" }, { figure: "Live mandates" }]}>
    <tbody>
      {apps.map(({ id, name, connectedAt, liveMandates }) => (
        <tr key={id}>
          <td>
            <RowLink href={`/operator/clients/${id}`}>{name}</RowLink>
          </td>
          <td className="muted">{formatShortDate(new Date(connectedAt), reader)}</td>
          <td>{liveMandates}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);
