import type { OperatorChargeDetail } from "#server/trpc/operator/charges/charge-detail-view.ts";
import { codeLabel } from "../../format/labels/dispute-labels.ts";
import { refundReasonLabels } from "../../format/labels/payment-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, Table } from "../../ui/table.tsx";
import { refundStatusLabels } from "../labels/operator-charge-labels.ts";

/** The refunds of a charge, newest first. */
export const ChargeRefunds = ({ charge, now, reader }: { charge: OperatorChargeDetail; now: Date; reader: Reader }) => (
  <Table
    caption="Refunds"
    columns={[{ id: "Refund" }, "Reason", { date: "Requested" }, { short: "Status" }, { figure: "Amount" }]}
  >
    <tbody>
      {charge.refunds.map((refund) => {
        const { tone, label } = refundStatusLabels[refund.status];
        return (
          <tr key={refund.id}>
            <td>{refund.id}</td>
            <td>{refund.reason ? refundReasonLabels[refund.reason] : "None"}</td>
            <td className="muted">
              <Time at={refund.createdAt} now={now} reader={reader} />
            </td>
            <td>
              <Pill tone={tone}>{label}</Pill>
              {refund.failureCode ? <CellNote>{codeLabel(refund.failureCode)}</CellNote> : null}
            </td>
            <td>{formatAmount(refund.amountMinor, charge.currency, reader)}</td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
