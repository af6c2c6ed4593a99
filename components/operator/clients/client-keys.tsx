import type { OperatorClient } from "#server/trpc/operator/clients/client-views.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { CellNote, Table } from "../../ui/table.tsx";

/** The public keys that verify the client's signatures, each with its last use. */
export const ClientKeys = ({ client, now, reader }: { client: OperatorClient; now: Date; reader: Reader }) => {
  if (client.keys.length === 0) {
    return (
      <EmptyState title={client.jwksUri ? "No keys loaded yet" : "No keys"}>
        {client.jwksUri ? `The keys are loaded from ${client.jwksUri} when they are used.` : "This client has no key."}
      </EmptyState>
    );
  }
  return (
    <>
      <Table caption="Keys" columns={[{ id: "Key ID (kid)" }, { short: "Algorithm" }, { date: "Last used" }]}>
        <tbody>
          {client.keys.map(({ kid, alg, thumbprint, lastUsedAt }) => (
            <tr key={thumbprint}>
              <td>
                {kid ?? "None"}
                {kid === thumbprint ? null : <CellNote>Thumbprint {thumbprint}</CellNote>}
              </td>
              <td>{alg ?? "Any"}</td>
              <td className="muted">
                {lastUsedAt === null ? "Never" : <Time at={lastUsedAt} now={now} reader={reader} />}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      {client.jwksUri ? <p className="small muted">Loaded from {client.jwksUri}.</p> : null}
    </>
  );
};
