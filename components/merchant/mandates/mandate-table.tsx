import type { MerchantListedMandate } from "#server/trpc/merchant/mandates/mandate-views.ts";
import { formatEndDay, formatShortDate } from "../../format/dates.ts";
import { bareMandateStateLabel } from "../../format/labels/mandate-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { Pill } from "../../ui/pill.tsx";
import { CellId, RowLink, Table } from "../../ui/table.tsx";

/** The states in which a mandate ends before the end of its validity. */
const endedEarly: ReadonlySet<MerchantListedMandate["state"]> = new Set(["rejected", "revoked", "consumed"]);

/** Mandates, newest first. */
export const MerchantMandateTable = ({
  mandates,
  reader,
}: {
  mandates: readonly MerchantListedMandate[];
  reader: Reader;
}) => (
  <Table
    caption="Mandates"
    columns={[
      "Agent",
      { short: "Names you as payee" },
      { date: "Since" },
      { date: "Valid until" },
      { short: "Status" },
    ]}
  >
    <tbody>
      {mandates.map(({ id, client, isNamed, since, validUntil, state }) => {
        const { tone, label } = bareMandateStateLabel(state);
        return (
          <tr key={id}>
            <td>
              <RowLink href={`/merchant/mandates/${id}`}>{client.name}</RowLink>
              <CellId>{id}</CellId>
            </td>
            <td>{isNamed ? "Yes" : "No, you charged it"}</td>
            <td className="muted">{formatShortDate(new Date(since), reader)}</td>
            <td className="muted">{endedEarly.has(state) ? "–" : formatEndDay(new Date(validUntil), reader)}</td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
