import type { MerchantInvoiceCollection } from "#server/trpc/merchant/billing/collection/collection-views.ts";
import { formatDateTime } from "../../../format/dates.ts";
import { formatAmount } from "../../../format/money.ts";
import type { Reader } from "../../../format/reader.ts";
import { Pill } from "../../../ui/pill.tsx";
import { CellId, Table } from "../../../ui/table.tsx";
import { attemptStates, attemptText } from "./attempt-labels.ts";

type Props = { attempts: MerchantInvoiceCollection["attempts"]; reader: Reader };

/** The attempts to collect an invoice, newest first. */
export const AttemptTable = ({ attempts, reader }: Props) => (
  <Table
    caption="Payment attempts"
    columns={[{ date: "Time" }, "Card", "Result", { figure: "Amount" }, { short: "Status" }]}
  >
    <tbody>
      {attempts.map((attempt) => {
        const { tone, label } = attemptStates[attempt.state];
        return (
          <tr key={attempt.id}>
            <td>
              <time dateTime={attempt.createdAt}>{formatDateTime(new Date(attempt.createdAt), reader)}</time>
              <CellId>{attempt.id}</CellId>
            </td>
            <td>{attempt.method}</td>
            <td>{attemptText(attempt)}</td>
            <td>{formatAmount(attempt.amountMinor, attempt.currency, reader)}</td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
