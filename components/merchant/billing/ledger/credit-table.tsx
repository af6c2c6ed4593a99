import type { MerchantCredit } from "#server/trpc/merchant/billing/ledger/ledger-views.ts";
import { formatShortDate } from "../../../format/dates.ts";
import { formatAmount } from "../../../format/money.ts";
import type { Reader } from "../../../format/reader.ts";
import { Link } from "../../../ui/link.tsx";
import { Pill, type Tone } from "../../../ui/pill.tsx";
import { CellNote, Table } from "../../../ui/table.tsx";
import { creditKindLabels } from "./ledger-labels.ts";

type Props = { credits: readonly MerchantCredit[]; now: Date; reader: Reader };

/** Credits, newest first, each with its last uses. */
export const CreditTable = ({ credits, now, reader }: Props) => (
  <Table
    caption="Credits"
    columns={[
      "Credit",
      { short: "Status" },
      { date: "Expires" },
      "Uses",
      { figure: "Amount" },
      { figure: "Remaining" },
    ]}
  >
    <tbody>
      {credits.map((credit) => {
        const { tone, label } = stateOf(credit, now);
        return (
          <tr key={credit.id} id={credit.id}>
            <td>
              {creditKindLabels[credit.kind]}
              <CellNote>
                {credit.id}, {formatShortDate(new Date(credit.grantedAt), reader)}
              </CellNote>
            </td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
            <td className="muted">
              {credit.expiresAt ? formatShortDate(new Date(credit.expiresAt), reader) : "Never"}
            </td>
            <td>{credit.uses.length > 0 ? <CreditUses credit={credit} reader={reader} /> : "None"}</td>
            <td>{formatAmount(credit.grantedMinor, credit.currency, reader)}</td>
            <td>{formatAmount(credit.remainingMinor, credit.currency, reader)}</td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);

const stateOf = ({ remainingMinor, expiresAt }: MerchantCredit, now: Date): { tone: Tone; label: string } => {
  if (expiresAt !== null && new Date(expiresAt) <= now) return { tone: "neutral", label: "Expired" };
  return remainingMinor > 0 ? { tone: "good", label: "Available" } : { tone: "neutral", label: "Used" };
};

const CreditUses = ({ credit, reader }: { credit: MerchantCredit; reader: Reader }) => {
  const { uses, hasMoreUses, currency } = credit;
  const count = hasMoreUses ? `Last ${uses.length} uses` : `${uses.length} ${uses.length === 1 ? "use" : "uses"}`;
  return (
    <details>
      <summary>{count}</summary>
      {uses.map((use) => (
        <CellNote key={`${use.usedAt} ${use.invoiceId} ${use.amountMinor}`}>
          {formatShortDate(new Date(use.usedAt), reader)}: {formatAmount(Math.abs(use.amountMinor), currency, reader)}{" "}
          <UsedBy use={use} />
        </CellNote>
      ))}
    </details>
  );
};

const UsedBy = ({ use: { invoiceId, invoiceNumber, amountMinor } }: { use: MerchantCredit["uses"][number] }) =>
  invoiceId === null ? (
    "expired"
  ) : (
    <>
      {amountMinor < 0 ? "returned by " : "on "}
      <Link href={`/merchant/billing/invoices/${invoiceId}`}>{invoiceNumber ?? invoiceId}</Link>
    </>
  );
