import Link from "next/link";
import type { WalletCharge } from "#server/trpc/wallet/views.ts";
import { formatRelativeDateTime } from "../format/dates.ts";
import { chargeStateLabel } from "../format/labels/mandate-labels.ts";
import type { Reader } from "../format/reader.ts";
import { ChargeAmount } from "../portal/charge-amount.tsx";
import { Pill } from "../ui/pill.tsx";
import { CellNote, Table } from "../ui/table.tsx";

const needsPayer = ({ state }: Pick<WalletCharge, "state">): boolean => state === "requires_action";

/** Charges, newest first. */
export const ChargeTable = ({
  caption,
  charges,
  now,
  reader,
  hasMandate = true,
}: {
  caption: string;
  charges: readonly WalletCharge[];
  now: Date;
  reader: Reader;
  hasMandate?: boolean;
}) => (
  <Table caption={caption} columns={["Merchant", ...(hasMandate ? ["Mandate"] : []), "When", "Status", "Amount"]}>
    <tbody>
      {charges.map((charge) => {
        const { tone, label } = chargeStateLabel(charge);
        const when = formatRelativeDateTime(new Date(charge.createdAt), now, reader);
        const status = needsPayer(charge) ? <Link href={`/wallet/approvals/${charge.id}`}>{label}</Link> : label;
        return (
          <tr key={charge.id}>
            <td>
              {charge.merchant.name}
              {charge.reference ? <CellNote>{charge.reference}</CellNote> : null}
            </td>
            {hasMandate ? (
              <td>
                <Link href={`/wallet/mandates/${charge.mandate.id}`}>{charge.client.name}</Link>
                {charge.mandate.purpose ? <CellNote>{charge.mandate.purpose}</CellNote> : null}
              </td>
            ) : null}
            <td className="muted" data-figure>
              {when}
            </td>
            <td>
              <Pill tone={tone}>{status}</Pill>
            </td>
            <td>
              <ChargeAmount charge={charge} reader={reader} />
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
