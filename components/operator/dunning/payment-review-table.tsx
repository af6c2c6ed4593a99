import type { OperatorUnresolvedPayment } from "#server/trpc/operator/billing/operator-dunning.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { sentenceCase } from "../../format/text.ts";
import { Time } from "../../format/time.tsx";
import { CellNote, RowLink, Table } from "../../ui/table.tsx";

/** Payments whose outcome isn't known after an hour, oldest first. */
export const PaymentReviewTable = ({
  payments,
  now,
  reader,
}: {
  payments: readonly OperatorUnresolvedPayment[];
  now: Date;
  reader: Reader;
}) => (
  <Table
    caption="Payments to review"
    columns={["Invoice", { short: "Processor" }, { date: "Started" }, { figure: "Look-ups" }, { figure: "Amount" }]}
  >
    <tbody>
      {payments.map((payment) => (
        <tr key={payment.id}>
          <td>
            <RowLink href={`/operator/invoices/${payment.invoiceId}`}>{payment.number ?? payment.invoiceId}</RowLink>
            <CellNote>{payment.merchant.name}</CellNote>
          </td>
          <td>{sentenceCase(payment.processor)}</td>
          <td className="muted">
            <Time at={payment.startedAt} now={now} reader={reader} />
          </td>
          <td>{payment.lookups}</td>
          <td>{formatAmount(payment.amountMinor, payment.currency, reader)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);
