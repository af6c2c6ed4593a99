import { toCsvLine } from "../../../kernel/text/csv.ts";
import type { InvoiceObject } from "../../invoices/invoice.wire.ts";
import { type Exact, exactUnit, formatExact, parseExact } from "../../rules/exact/exact.ts";
import type { PricedEvent } from "./price-each-event.ts";

type Line = InvoiceObject["lines"][number];
type Event = PricedEvent & { id: string; time: Date };

/** The events behind a line, in order and in batches, and the price of each; null for a line without events. */
export type LineEvents = { batches: AsyncIterable<readonly Event[]>; price: (event: Event) => Exact } | null;

const headings = ["line_id", "kind", "meter", "event_id", "time", "quantity", "exact"];

/**
 * The events behind each line of an invoice as CSV (RFC 4180), in parts. The rows of a line sum to its amount: if the
 * exact prices of its events have a different sum, a row of kind `rounding` at the end of the file has the difference.
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
    }
    if (left !== 0n) roundings += toCsvLine([line.id, "rounding", line.meter ?? "", "", "", "", formatExact(left)]);
  }
  if (roundings !== "") yield roundings;
}

const headOf = ({ id, kind, meter }: Line): string[] => [id, kind, meter ?? ""];
