import type { OperatorChargeDetail } from "#server/trpc/operator/charges/charge-detail-view.ts";
import { codeLabel, disputeStatusLabels } from "../../format/labels/dispute-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, Table } from "../../ui/table.tsx";

/** The disputes of a charge, oldest first. The merchant submits its evidence to the processor. */
export const ChargeDisputes = ({
  charge,
  now,
  reader,
}: {
  charge: OperatorChargeDetail;
  now: Date;
  reader: Reader;
}) => (
  <Table
    caption="Disputes"
    columns={[
      "Dispute",
      { date: "Opened" },
      { date: "Evidence due" },
      { date: "Closed" },
      { short: "Status" },
      { figure: "Amount" },
    ]}
  >
    <tbody>
      {charge.disputes.map((dispute) => {
        const { tone, label } = disputeStatusLabels[dispute.status];
        const time = (at: string | null, absent: string) =>
          at === null ? absent : <Time at={at} now={now} reader={reader} />;
        return (
          <tr key={dispute.id}>
            <td>
              {codeLabel(dispute.reason)}
              <CellNote>{dispute.disputeRef}</CellNote>
            </td>
            <td className="muted">
              <Time at={dispute.createdAt} now={now} reader={reader} />
            </td>
            <td className="muted">{time(dispute.evidenceDueAt, "No date")}</td>
            <td className="muted">{time(dispute.closedAt, "Not yet")}</td>
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
