import type { OperatorInvoice } from "#server/trpc/operator/billing/operator-invoice-views.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { sentenceCase } from "../../format/text.ts";
import { Time } from "../../format/time.tsx";
import { Pill, type Tone } from "../../ui/pill.tsx";
import { CellNote, RowLink, Table } from "../../ui/table.tsx";

type Props = { invoice: OperatorInvoice; now: Date; reader: Reader };

const paymentStates: Readonly<Record<OperatorInvoice["payments"][number]["state"], { tone: Tone; label: string }>> = {
  pending: { tone: "unknown", label: "Outcome unknown" },
  succeeded: { tone: "good", label: "Succeeded" },
  declined: { tone: "bad", label: "Declined" },
  not_submitted: { tone: "neutral", label: "Not submitted" },
};

/** The attempts to pay the invoice, newest first. */
export const InvoicePayments = ({ invoice, now, reader }: Props) => (
  <Table
    caption="Payments"
    columns={[{ id: "Payment" }, { short: "Method" }, { date: "Started" }, { short: "Status" }, { figure: "Amount" }]}
  >
    <tbody>
      {invoice.payments.map((payment) => {
        const { tone, label } = paymentStates[payment.state];
        return (
          <tr key={payment.id}>
            <td>
              {payment.id}
              {payment.processorRef ? <CellNote>{payment.processorRef}</CellNote> : null}
            </td>
            <td>{payment.method}</td>
            <td className="muted">
              <Time at={payment.createdAt} now={now} reader={reader} />
            </td>
            <td>
              <Pill tone={tone}>{label}</Pill>
              {payment.declineCode ? <CellNote>{payment.declineCode}</CellNote> : null}
              {payment.state === "pending" ? <CellNote>Look-ups: {payment.lookups}</CellNote> : null}
            </td>
            <td>{formatAmount(payment.amountMinor, invoice.currency, reader)}</td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);

/** The credit notes of the invoice, newest first. */
export const InvoiceNotes = ({ invoice, now, reader }: Props) => (
  <Table caption="Credit notes" columns={["Number", "Reason", { date: "Issued" }, { figure: "Total" }]}>
    <tbody>
      {invoice.notes.map((note) => (
        <tr key={note.id}>
          <td>
            <RowLink href={`/operator/invoices/${note.id}`}>{note.number}</RowLink>
          </td>
          <td>{note.reason}</td>
          <td className="muted">
            <Time at={note.issuedAt} now={now} reader={reader} />
          </td>
          <td>{formatAmount(-note.totalMinor, invoice.currency, reader)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);

const kindLabels: Readonly<Record<string, string>> = {
  "invoice.finalized": "Invoice issued",
  "invoice.voided": "Invoice voided",
  "invoice.uncollectible": "Written off as bad debt",
  "invoice.recovered": "Bad debt recovered",
  "credit_note.created": "Credit note issued",
  payment: "Payment",
  overpayment: "Overpayment",
};

const accountTitle = (account: string): string => sentenceCase(account.replaceAll("_", " "));

/** The ledger's entries about the invoice, its payments and its credit notes, oldest first. */
export const InvoiceLedger = ({ invoice, now, reader }: Props) => (
  <Table
    isInOrder
    caption="Ledger"
    columns={["Transaction", "Account", { date: "Booked" }, { figure: "Debit" }, { figure: "Credit" }]}
  >
    <tbody>
      {invoice.transactions.flatMap((transaction) =>
        transaction.entries.map(({ account, currency, amountMinor }) => (
          <tr key={`${transaction.id} ${account} ${amountMinor}`}>
            <td>
              {kindLabels[transaction.kind] ?? transaction.kind}
              {transaction.state === "posted" ? null : <CellNote>{sentenceCase(transaction.state)}</CellNote>}
            </td>
            <td>{accountTitle(account)}</td>
            <td className="muted">
              <Time at={transaction.at} now={now} reader={reader} />
            </td>
            <td>{amountMinor > 0 ? formatAmount(amountMinor, currency, reader) : null}</td>
            <td>{amountMinor < 0 ? formatAmount(-amountMinor, currency, reader) : null}</td>
          </tr>
        )),
      )}
    </tbody>
  </Table>
);
