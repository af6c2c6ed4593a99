import type { MerchantLedgerBalance, MerchantLedgerEntry } from "#server/trpc/merchant/billing/ledger/ledger-views.ts";
import { formatDateTime } from "../../../format/dates.ts";
import { formatAmount } from "../../../format/money.ts";
import type { Reader } from "../../../format/reader.ts";
import { Link } from "../../../ui/link.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { CellId, CellNote, Table } from "../../../ui/table.tsx";
import { ledgerAddress } from "./ledger-filter.tsx";
import { ledgerAccountLabels, ledgerStateLabels } from "./ledger-labels.ts";

/** `€12.34 debit`. The side is named, so that the reader needn't interpret a sign. */
const formatSide = (minor: number, currency: string, reader: Reader): string => {
  const amount = formatAmount(Math.abs(minor), currency, reader);
  return minor === 0 ? amount : `${amount} ${minor > 0 ? "debit" : "credit"}`;
};

type BalancesProps = { balances: readonly MerchantLedgerBalance[]; reader: Reader };

/** Today's balance of each account, with a link to its entries. */
export const LedgerBalances = ({ balances, reader }: BalancesProps) => (
  <Table caption="Balances" columns={["Account", { figure: "Pending" }, { figure: "Balance" }]}>
    <tbody>
      {balances.map(({ account, currency, postedMinor, pendingMinor }) => (
        <tr key={`${account} ${currency}`}>
          <td>
            <Link href={ledgerAddress({ account, currency, from: undefined, to: undefined })}>
              {ledgerAccountLabels[account]}
            </Link>
            <CellNote>{currency}</CellNote>
          </td>
          <td>{formatSide(pendingMinor, currency, reader)}</td>
          <td>{formatSide(postedMinor, currency, reader)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);

/** Entries, newest first, each with the balance that its account had after the entry. */
export const LedgerEntries = ({ entries, reader }: { entries: readonly MerchantLedgerEntry[]; reader: Reader }) => (
  <Table
    caption="Entries"
    columns={["Entry", "Source", { short: "Status" }, { figure: "Debit" }, { figure: "Credit" }, { figure: "Balance" }]}
  >
    <tbody>
      {entries.map((entry) => {
        const { tone, label } = ledgerStateLabels[entry.state];
        const amount = formatAmount(Math.abs(entry.amountMinor), entry.currency, reader);
        return (
          <tr key={entry.id}>
            <td>
              {ledgerAccountLabels[entry.account]}
              <CellNote>
                <time dateTime={entry.effectiveAt}>{formatDateTime(new Date(entry.effectiveAt), reader)}</time>
              </CellNote>
            </td>
            <td>
              <EntrySource entry={entry} />
            </td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
            <td>{entry.amountMinor > 0 ? amount : null}</td>
            <td>{entry.amountMinor < 0 ? amount : null}</td>
            <td>{formatSide(entry.balanceMinor, entry.currency, reader)}</td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);

const sourceNames: Readonly<Record<string, string>> = {
  invoice: "Invoice",
  credit_note: "Credit note",
  payment: "Payment of",
  refund: "Refund",
  credit_grant: "Credit",
};

const EntrySource = ({ entry: { source, invoice } }: { entry: MerchantLedgerEntry }) => {
  const name = sourceNames[source.type] ?? source.type;
  if (invoice) {
    return (
      <>
        {name} <Link href={`/merchant/billing/invoices/${invoice.id}`}>{invoice.number ?? invoice.id}</Link>
        {source.type === "payment" ? <CellId>{source.id}</CellId> : null}
      </>
    );
  }
  if (source.type !== "credit_grant") return `${name} ${source.id}`;
  return (
    <>
      {name} <Link href={`/merchant/billing/credits#${source.id}`}>{source.id}</Link>
    </>
  );
};
