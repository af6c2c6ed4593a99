import { toCsvLine } from "../../../kernel/text/csv.ts";
import type { InvoiceObject } from "../../invoices/invoice.wire.ts";
import { type Exact, exactUnit, formatExact, parseExact } from "../../rules/exact/exact.ts";
import type { PricedEvent } from "./price-each-event.ts";

type Line = InvoiceObject["lines"][number];
type Event = PricedEvent & { id: string; time: Date };

/**
 * The events behind a line, in order and in batches, and the price of each; null for a line without events.
 * `pricedExact`: the price of the line's usage, before it is adjusted by the minimum, the maximum and the tax of its
 * period; null for refunded fees.
 */
export type LineEvents = {
  batches: AsyncIterable<readonly Event[]>;
  price: (event: Event) => Exact;
  pricedExact: Exact | null;
} | null;

const headings = ["line_id", "kind", "meter", "event_id", "time", "quantity", "exact"];

/**
 * The events behind each line of an invoice as CSV (RFC 4180), in parts. The rows of a line sum to its amount. Rows
 * without an event contain the change in the price of earlier usage, and the adjustments of the line. If rounding
 * changes the amount of the line, a row of kind `rounding` at the end of the file has the difference
 * (docs/spec/billing.md, Documents).
 */
export async function* invoiceCsv(
  lines: readonly Line[],
  eventsOf: (line: Line) => Promise<LineEvents>,
): AsyncGenerator<string> {
  yield toCsvLine(headings);
  let roundings = "";
  for (const line of lines) {
    let left = BigInt(line.amount) * exactUnit;
    const events = await eventsOf(line);
    if (events === null) {
      left -= parseExact(line.exact);
      yield toCsvLine([...headOf(line), "", line.period.from, String(line.quantity), line.exact]);
    } else {
      for await (const batch of events.batches) {
        const rows = batch.map((event) => {
          const exact = events.price(event);
          left -= exact;
          return [...headOf(line), event.id, event.time.toISOString(), String(event.quantity), formatExact(exact)];
        });
        yield rows.map(toCsvLine).join("");
      }
      const others = otherRows(line, events.pricedExact, BigInt(line.amount) * exactUnit - left);
      for (const { kind, exact } of others) {
        left -= exact;
        yield rowWithoutEvent(line, kind, exact);
      }
    }
    if (left !== 0n) roundings += rowWithoutEvent(line, "rounding", left);
  }
  if (roundings !== "") yield roundings;
}

const headOf = ({ id, kind, meter }: Line): string[] => [id, kind, meter ?? ""];

const rowWithoutEvent = ({ id, meter }: Line, kind: string, exact: Exact): string =>
  toCsvLine([id, kind, meter ?? "", "", "", "", formatExact(exact)]);

/**
 * The rows of a line that aren't for an event. They have three causes: late usage of an earlier part of the period can
 * change the price of usage that was already billed; the minimum, the maximum and the tax of its period change the cost
 * of late usage; and earlier credits can have returned a part of a refunded fee.
 * @param ofEvents sum of the events' prices
 */
const otherRows = (line: Line, pricedExact: Exact | null, ofEvents: Exact): { kind: string; exact: Exact }[] => {
  const priced = pricedExact ?? ofEvents;
  return [
    { kind: line.kind, exact: priced - ofEvents },
    { kind: "adjustment", exact: parseExact(line.exact) - priced },
  ].filter(({ exact }) => exact !== 0n);
};
