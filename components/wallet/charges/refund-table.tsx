import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletChargeDetail } from "#server/trpc/wallet/views.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { CellNote, Table } from "../../ui/table.tsx";
import { RefundState } from "../activity-table.tsx";

/** The refunds of a charge with the merchant's reasons. */
export const RefundTable = ({ charge, now, reader }: { charge: WalletChargeDetail; now: Date; reader: Reader }) => {
  const t = translator(reader.locale, "activity");
  return (
    <Table
      caption={t("charge.refundsCaption")}
      columns={[
        t("charge.refundColumns.reason"),
        { date: t("charge.refundColumns.when") },
        { short: t("charge.refundColumns.status") },
        { figure: t("charge.refundColumns.amount") },
      ]}
    >
      <tbody>
        {charge.refunds.map((refund) => (
          <tr key={refund.id}>
            <td>
              {t(`charge.reasons.${refund.reason ?? "none"}`)}
              {refund.note ? <CellNote>{refund.note}</CellNote> : null}
            </td>
            <td className="muted">
              <Time at={refund.createdAt} now={now} reader={reader} />
            </td>
            <td>
              <RefundState status={refund.status} t={t} />
            </td>
            <td>{formatAmount(refund.amountMinor, charge.currency, reader)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
};
