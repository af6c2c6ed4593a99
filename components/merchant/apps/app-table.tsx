import type { MerchantApp } from "#server/trpc/merchant/app-views.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { ScopeNotes } from "../../portal/tokens/scope-notes.tsx";
import { CellId, CellNote, RowLink, Table } from "../../ui/table.tsx";

/** The OAuth clients of a merchant, newest first. */
export const AppTable = ({ apps, now, reader }: { apps: readonly MerchantApp[]; now: Date; reader: Reader }) => (
  <Table caption="Apps" columns={["App", "Scopes", "Key thumbprints", { date: "Registered" }]}>
    <tbody>
      {apps.map(({ id, name, scopes, thumbprints, jwksUri, createdAt }) => (
        <tr key={id}>
          <td>
            <RowLink href={`/merchant/apps/${id}`}>{name}</RowLink>
            <CellId>{id}</CellId>
          </td>
          <td>
            <ScopeNotes scopes={scopes} />
          </td>
          <td>
            {thumbprints.map((thumbprint) => (
              <CellNote key={thumbprint}>{thumbprint}</CellNote>
            ))}
            {jwksUri ? <CellNote>from {jwksUri}</CellNote> : null}
          </td>
          <td className="muted">
            <Time at={createdAt} now={now} reader={reader} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
