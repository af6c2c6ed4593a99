import { meterTitle } from "#server/kernel/billing/meter-title.ts";
import { dayIn } from "#server/kernel/time/calendar.ts";
import type { MerchantExploredUsage, MerchantMeteredEvent } from "#server/trpc/merchant/billing/usage/usage-views.ts";
import { formatDateTime, formatMonth, formatShortDate } from "../../../format/dates.ts";
import { formatAmount } from "../../../format/money.ts";
import type { Reader } from "../../../format/reader.ts";
import { TimeChart } from "../../../ui/chart/time-chart.tsx";
import { Link } from "../../../ui/link.tsx";
import { CellNote, RowLink, Table } from "../../../ui/table.tsx";
import { formatQuantity } from "../line-amount.tsx";
import { type UsageQuery, type UsageWindowName, usageAddress } from "./usage-query.ts";

type Window = MerchantExploredUsage["windows"][number];

/** @param reader with the time zone of the windows */
export const formatWindow = ({ from }: Pick<Window, "from">, window: UsageWindowName, reader: Reader): string => {
  const at = new Date(from);
  if (window === "month") return formatMonth(at, reader);
  return window === "day" ? formatShortDate(at, reader) : formatDateTime(at, reader);
};

type ChartProps = { usage: MerchantExploredUsage; query: UsageQuery; reader: Reader };

/** The quantity of a meter in each window. */
export const UsageChart = ({ usage, query, reader }: ChartProps) => {
  const { window, zone, meter } = query;
  const total = usage.windows.reduce((sum, { quantity }) => sum + BigInt(quantity), 0n);
  const pointOf = (from: string): string => {
    const day = dayIn(zone, new Date(from));
    return window === "hour" ? from : window === "day" ? day : day.slice(0, 7);
  };
  // A mandate counts in each window in which it was charged, so the windows don't sum to the number of mandates.
  const summary =
    meter === "active_mandates"
      ? `Number of different mandates that were charged in each window. Time zone: ${zone}.`
      : `${formatQuantity(String(total), reader)} in this period. Time zone: ${zone}.`;
  return (
    <TimeChart
      title={meterTitle(meter)}
      summary={summary}
      unit={{ kind: "count" }}
      interval={window}
      series={[{ name: "Quantity" }]}
      points={usage.windows.map(({ from, quantity }) => ({ at: pointOf(from), values: [Number(quantity)] }))}
      reader={{ ...reader, timeZone: zone }}
    />
  );
};

const maxWindows = 100;

/** Windows with usage, newest first. A click lists the events of the window. */
export const UsageWindows = ({ usage, query, reader }: ChartProps) => {
  const used = usage.windows.filter(({ quantity }) => quantity !== "0").toReversed();
  const zoned = { ...reader, timeZone: query.zone };
  const hasAmounts = used.some(({ amounts }) => amounts.length > 0);
  return (
    <>
      <Table
        caption="Windows with usage"
        columns={["Window", ...(hasAmounts ? [{ figure: "Amount" }] : []), { figure: "Quantity" }]}
      >
        <tbody>
          {used.slice(0, maxWindows).map((one) => (
            <tr key={one.from}>
              <td>
                <RowLink href={`${usageAddress({ ...query, at: one.from, after: undefined })}#events`}>
                  {formatWindow(one, query.window, zoned)}
                </RowLink>
              </td>
              {hasAmounts ? (
                <td>
                  {one.amounts
                    .map(({ currency, amountMinor }) => formatAmount(amountMinor, currency, reader))
                    .join(", ")}
                </td>
              ) : null}
              <td>{formatQuantity(one.quantity, reader)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {used.length > maxWindows ? (
        <p className="muted small">
          The newest {maxWindows} of {used.length} windows with usage are shown. To see the others, choose an earlier
          period.
        </p>
      ) : null}
    </>
  );
};

type EventsProps = { events: readonly MerchantMeteredEvent[]; reader: Reader };

/** Events, newest first, each with the object that it comes from. */
export const MeteredEvents = ({ events, reader }: EventsProps) => (
  <Table caption="Events" columns={["Source", "Event", { date: "Time" }, { figure: "Amount" }, { figure: "Quantity" }]}>
    <tbody>
      {events.map(({ id, time, quantity, amount, source, note }) => (
        <tr key={id}>
          <td>
            {source.href ? <Link href={source.href}>{source.label}</Link> : source.label}
            {note === null ? null : <CellNote>{note}</CellNote>}
          </td>
          <td>
            <code>{id}</code>
          </td>
          <td className="muted">
            <time dateTime={time}>{formatDateTime(new Date(time), reader)}</time>
          </td>
          <td>{amount === null ? "–" : formatAmount(amount.amountMinor, amount.currency, reader)}</td>
          <td>{formatQuantity(quantity, reader)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);
