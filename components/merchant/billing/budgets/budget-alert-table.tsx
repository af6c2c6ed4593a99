import type { ReactNode } from "react";
import type { MerchantBudgetAlert } from "#server/trpc/merchant/billing/budgets/budget-views.ts";
import { formatDateTime } from "../../../format/dates.ts";
import { formatAmount } from "../../../format/money.ts";
import { formatPercentage } from "../../../format/percent.ts";
import type { Reader } from "../../../format/reader.ts";
import { CellId, CellNote, RowLink, Table } from "../../../ui/table.tsx";

type Props = {
  alerts: readonly MerchantBudgetAlert[];
  /** whether the member may open an alert to change it */
  canChange: boolean;
  reader: Reader;
};

export const BudgetAlertTable = ({ alerts, canChange, reader }: Props) => (
  <Table caption="Budget alerts" columns={["Alert", "Channel", { date: "Last sent" }, { figure: "Threshold" }]}>
    <tbody>
      {alerts.map((alert) => (
        <tr key={alert.id}>
          <td>
            {canChange ? <RowLink href={`/merchant/billing/alerts/${alert.id}`}>{alert.name}</RowLink> : alert.name}
            <CellId>{alert.id}</CellId>
          </td>
          <td>{channelsOf(alert)}</td>
          <td className="muted">{lastFired(alert, reader)}</td>
          <td>
            {formatAmount(alert.thresholdMinor, alert.currency, reader)}
            {alert.percent === null ? null : (
              <CellNote>
                {formatPercentage(alert.percent, reader)} of {formatAmount(alert.amountMinor, alert.currency, reader)}
              </CellNote>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);

const channelsOf = ({ sendsMail, sendsWebhook }: MerchantBudgetAlert): string =>
  sendsMail && sendsWebhook ? "E-mail and webhook" : sendsMail ? "E-mail" : "Webhook";

const lastFired = ({ lastFired: fired, currency }: MerchantBudgetAlert, reader: Reader): ReactNode =>
  fired === null ? (
    "Never"
  ) : (
    <>
      {formatDateTime(new Date(fired.at), reader)}
      <CellNote>Cost: {formatAmount(fired.spentMinor, currency, reader)}</CellNote>
    </>
  );
