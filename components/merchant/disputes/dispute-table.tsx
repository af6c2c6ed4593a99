import type { MerchantDispute } from "#server/trpc/merchant/disputes.ts";
import { formatRelativeDateTime } from "../../format/dates.ts";
import { codeLabel, disputeStatusLabels } from "../../format/labels/dispute-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Pill } from "../../ui/pill.tsx";
import { RowLink, Table } from "../../ui/table.tsx";

/** Disputes, newest first. A row opens the payment. */
export const DisputeTable = ({
  disputes,
  now,
  reader,
}: {
  disputes: readonly MerchantDispute[];
  now: Date;
  reader: Reader;
}) => (
  <Table
    caption="Disputes"
    columns={["Reason", { date: "Opened" }, { date: "Closed" }, { short: "Status" }, { figure: "Amount" }]}
  >
    <tbody>
      {disputes.map(({ id, chargeId, reason, createdAt, closedAt, status, amountMinor, currency }) => {
        const { tone, label } = disputeStatusLabels[status];
        return (
          <tr key={id}>
            <td>
              <RowLink href={`/merchant/payments/${chargeId}`}>{codeLabel(reason)}</RowLink>
            </td>
            <td className="muted">{formatRelativeDateTime(new Date(createdAt), now, reader)}</td>
            <td className="muted">
              {closedAt === null ? "Not yet" : formatRelativeDateTime(new Date(closedAt), now, reader)}
            </td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
            <td>{formatAmount(amountMinor, currency, reader)}</td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
