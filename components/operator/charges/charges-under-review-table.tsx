import type { OperatorChargeView } from "#server/trpc/operator/operator-views.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { sentenceCase } from "../../format/text.ts";
import { Time } from "../../format/time.tsx";
import { CellNote, RowLink, Table } from "../../ui/table.tsx";

/** Charges with an unknown outcome, oldest first. */
export const ChargesUnderReviewTable = ({
  charges,
  now,
  reader,
}: {
  charges: readonly OperatorChargeView[];
  now: Date;
  reader: Reader;
}) => (
  <Table
    caption="Charges needing review"
    columns={["Charge", { short: "Processor" }, { date: "Created" }, { figure: "Amount" }]}
  >
    <tbody>
      {charges.map((charge) => (
        <tr key={charge.id}>
          <td>
            <RowLink href={`/operator/charges/${charge.id}`}>{charge.merchant.name}</RowLink>
            <CellNote>{charge.reference ?? <code>{charge.id}</code>}</CellNote>
          </td>
          <td>{sentenceCase(charge.processor)}</td>
          <td className="muted">
            <Time at={charge.createdAt} now={now} reader={reader} />
          </td>
          <td>{formatAmount(charge.amountMinor, charge.currency, reader)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);
