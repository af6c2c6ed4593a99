import type { OperatorListedEntry } from "#server/trpc/operator/directory/entry-views.ts";
import { roleLabels } from "../../directory/directory-labels.ts";
import { StatusPill } from "../../directory/participant-list.tsx";
import { formatShortDate } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { formatList } from "../../format/text.ts";
import { CellNote, RowLink, Table } from "../../ui/table.tsx";

/** Entries of the directory, the latest change first. */
export const EntryTable = ({ entries, reader }: { entries: readonly OperatorListedEntry[]; reader: Reader }) => (
  <Table caption="Directory entries" columns={["Entry", "Verified domains", { date: "Changed" }, { short: "Status" }]}>
    <tbody>
      {entries.map(({ id, displayName, roles, domains, updatedAt, status }) => (
        <tr key={id}>
          <td>
            <RowLink href={`/operator/directory/${id}`}>{displayName}</RowLink>
            <CellNote>{formatList(roles.map((role) => roleLabels[role] ?? role))}</CellNote>
          </td>
          <td>{domains.join(", ") || "None"}</td>
          <td className="muted">{formatShortDate(new Date(updatedAt), reader)}</td>
          <td>
            <StatusPill status={status} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
