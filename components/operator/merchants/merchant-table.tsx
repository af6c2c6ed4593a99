import type { OperatorMerchant } from "#server/trpc/operator/operator-views.ts";
import { formatShortDate } from "../../format/dates.ts";
import { merchantStateLabel } from "../../format/labels/merchant-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { sentenceCase } from "../../format/text.ts";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, RowLink, Table } from "../../ui/table.tsx";

/** Merchants, sorted by name. */
export const MerchantTable = ({ merchants, reader }: { merchants: readonly OperatorMerchant[]; reader: Reader }) => (
  <Table
    caption="Merchants"
    columns={["Merchant", { short: "Category" }, { short: "Processor" }, { date: "Created" }, { short: "Status" }]}
  >
    <tbody>
      {merchants.map((merchant) => {
        const { tone, label } = merchantStateLabel(merchant);
        return (
          <tr key={merchant.id}>
            <td>
              <RowLink href={`/operator/merchants/${merchant.id}`}>{merchant.name}</RowLink>
              <CellNote>{merchant.legalName}</CellNote>
            </td>
            <td>{merchant.mcc}</td>
            <td>{sentenceCase(merchant.processor)}</td>
            <td className="muted">{formatShortDate(new Date(merchant.createdAt), reader)}</td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
