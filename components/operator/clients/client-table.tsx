import type { OperatorFoundClient } from "#server/trpc/operator/clients/client-views.ts";
import { formatShortDate } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { Pill } from "../../ui/pill.tsx";
import { RowLink, Table } from "../../ui/table.tsx";
import { clientKinds, clientStates } from "../labels/client-labels.ts";

export const ClientTable = ({ clients, reader }: { clients: readonly OperatorFoundClient[]; reader: Reader }) => (
  <Table
    caption="Clients"
    columns={["Client", { short: "Kind" }, "Owner", { date: "Registered" }, { short: "Status" }]}
  >
    <tbody>
      {clients.map((client) => {
        const { tone, label } = clientStates[client.state];
        return (
          <tr key={client.id}>
            <td>
              <RowLink href={`/operator/clients/${client.id}`}>{client.name}</RowLink>
            </td>
            <td>{clientKinds[client.kind]}</td>
            <td>{client.merchantName ?? client.participantName ?? "None"}</td>
            <td className="muted">{formatShortDate(new Date(client.createdAt), reader)}</td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
