import type { OperatorFoundDispute } from "#server/trpc/operator/charges/operator-disputes.ts";
import { codeLabel, disputeStatusLabels } from "../../format/labels/dispute-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { Pill } from "../../ui/pill.tsx";
import { RowLink, Table } from "../../ui/table.tsx";

/** Disputes of all merchants, newest first. A row opens the charge. */
export const OperatorDisputeTable = ({
  disputes,
  now,
  reader,
}: {
  disputes: readonly OperatorFoundDispute[];
  now: Date;
  reader: Reader;
}) => (
  <Table
    caption="Disputes"
    columns={[
      "Reason",
      "Merchant",
      { date: "Opened" },
      { date: "Evidence due" },
      { short: "Status" },
      { figure: "Amount" },
    ]}
  >
    <tbody>
      {disputes.map((dispute) => {
        const { tone, label } = disputeStatusLabels[dispute.status];
        return (
          <tr key={dispute.id}>
            <td>
              <RowLink href={`/operator/charges/${dispute.chargeId}`}>{codeLabel(dispute.reason)}</RowLink>
            </td>
            <td>{dispute.merchant.name}</td>
            <td className="muted">
              <Time at={dispute.createdAt} now={now} reader={reader} />
            </td>
            <td className="muted">
              {dispute.evidenceDueAt === null ? (
                "No date"
              ) : (
                <Time at={dispute.evidenceDueAt} now={now} reader={reader} />
              )}
            </td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
            <td>{formatAmount(dispute.amountMinor, dispute.currency, reader)}</td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
