import type { MerchantLineEvent } from "#server/trpc/merchant/billing/billing-views.ts";
import { formatDateTime } from "../../format/dates.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Table } from "../../ui/table.tsx";
import { formatQuantity } from "./line-amount.tsx";

/** The events behind a line, oldest first. */
export const EventTable = ({ events, reader }: { events: readonly MerchantLineEvent[]; reader: Reader }) => (
  <Table
    caption="Events"
    columns={[{ id: "Event" }, "Subject", { date: "Time" }, { figure: "Amount" }, { figure: "Quantity" }]}
  >
    <tbody>
      {events.map(({ id, subject, time, amountMinor, currency, quantity }) => (
        <tr key={id}>
          <td>{id}</td>
          <td>{subject ?? "None"}</td>
          <td className="muted">
            <time dateTime={time}>{formatDateTime(new Date(time), reader)}</time>
          </td>
          <td>{amountMinor === null || currency === null ? "None" : formatAmount(amountMinor, currency, reader)}</td>
          <td>{formatQuantity(quantity, reader)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);
