import type { OperatorFoundCharge } from "#server/trpc/operator/charges/found-charge-view.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { ChargeAmount } from "../../portal/charge-amount.tsx";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, RowLink, Table } from "../../ui/table.tsx";
import { operatorChargeStateLabel } from "../labels/operator-charge-labels.ts";

/** Charges of all merchants, newest first. */
export const OperatorChargeTable = ({
  charges,
  now,
  reader,
}: {
  charges: readonly OperatorFoundCharge[];
  now: Date;
  reader: Reader;
}) => (
  <Table
    caption="Charges"
    columns={["Charge", "Merchant", { date: "Created" }, { short: "Status" }, { figure: "Amount" }]}
  >
    <tbody>
      {charges.map((charge) => {
        const { tone, label } = operatorChargeStateLabel(charge);
        return (
          <tr key={charge.id}>
            <td>
              <RowLink href={`/operator/charges/${charge.id}`}>{charge.reference ?? charge.id}</RowLink>
            </td>
            <td>{charge.merchant.name}</td>
            <td className="muted">
              <Time at={charge.createdAt} now={now} reader={reader} />
            </td>
            <td>
              <Pill tone={tone}>{label}</Pill>
              {charge.isUnderReview ? <CellNote>needs review</CellNote> : null}
            </td>
            <td>
              <ChargeAmount charge={charge} reader={reader} />
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
