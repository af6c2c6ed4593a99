import Link from "next/link";
import type { OperatorMerchant } from "#server/trpc/operator/operator-views.ts";
import { formatDate } from "../../format/dates.ts";
import { merchantStateLabel } from "../../format/labels/merchant-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, Table } from "../../ui/table.tsx";

/** Merchants, sorted by name. */
export const MerchantTable = ({ merchants, reader }: { merchants: readonly OperatorMerchant[]; reader: Reader }) => (
  <Table
    caption="Merchants"
    columns={["Merchant", { wide: "Category" }, { wide: "Processor" }, { wide: "Since" }, "State"]}
  >
    <tbody>
      {merchants.map((merchant) => {
        const { tone, label } = merchantStateLabel(merchant);
        return (
          <tr key={merchant.id}>
            <td>
              <Link href={`/operator/merchants/${merchant.id}`} prefetch={false}>
                {merchant.name}
              </Link>
              <CellNote>{merchant.legalName}</CellNote>
            </td>
            <td data-wide>{merchant.mcc}</td>
            <td data-wide>{merchant.processor}</td>
            <td className="muted" data-wide data-figure>
              {formatDate(new Date(merchant.createdAt), reader)}
            </td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
