import type { OperatorFoundPayer } from "#server/trpc/operator/payers/payer-views.ts";
import { formatShortDate } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { Pill } from "../../ui/pill.tsx";
import { RowLink, Table } from "../../ui/table.tsx";
import { payerStates } from "../labels/payer-labels.ts";

export const PayerTable = ({ payers, reader }: { payers: readonly OperatorFoundPayer[]; reader: Reader }) => (
  <Table caption="Payers" columns={["Name", "E-mail", { date: "Created" }, { short: "Status" }]}>
    <tbody>
      {payers.map(({ id, displayName, email, createdAt, state }) => (
        <tr key={id}>
          <td>
            <RowLink href={`/operator/payers/${id}`}>{displayName || id}</RowLink>
          </td>
          <td>{email}</td>
          <td className="muted">{formatShortDate(new Date(createdAt), reader)}</td>
          <td>
            <Pill tone={payerStates[state].tone}>{payerStates[state].label}</Pill>
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
