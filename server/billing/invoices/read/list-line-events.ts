import type { InvoiceRow } from "../../../data/billing/invoices/invoices.ts";
import type { InvoiceLineRow } from "../../../data/billing/invoices/lines.ts";
import {
  findRefundEventPlace,
  findRefundEvents,
  type RefundEventsQuery,
} from "../../../data/billing/invoices/refund-events.ts";
import { getPeriodOfFirstLine } from "../../../data/billing/invoices/voided-credits.ts";
import { findLineEventPlace, type LineEvent, listLineEvents } from "../../../data/billing/meters/line-events.ts";
import type { MeteredQuery } from "../../../data/billing/meters/metered-events.ts";
import type { Sql } from "../../../data/client.ts";
import type { Deps } from "../../../deps/deps.ts";
import { DomainError, fieldRefusal } from "../../../kernel/errors.ts";
import { cutPage, findPage, type PageRequest } from "../../../kernel/pagination.ts";
import { parseExact } from "../../rules/exact/exact.ts";
import { getInvoice } from "./get-invoice.ts";

type Input = { merchantId: string; invoiceId: string; lineId: string } & PageRequest;

/**
 * The events behind a line, oldest first: exactly the events that are counted in the line's `events.count`. Empty for
 * a line without events.
 * @throws DomainError not_found, also for another merchant's invoice; invalid for ending_before.
 */
export const listEventsOfLine = async (
  deps: Pick<Deps, "db">,
  { merchantId, invoiceId, lineId, ...request }: Input,
): Promise<{ line: InvoiceLineRow; events: LineEvent[]; hasMore: boolean }> => {
  const { row, lines } = await getInvoice(deps, { merchantId, invoiceId });
  const line = lines.find(({ id }) => id === lineId);
  if (!line) throw lineNotFound();
  return { line, ...(await listEventsOfFoundLine(deps, { row, line }, request)) };
};

/** Like `listEventsOfLine`, but for a line that the caller has already read. */
export const listEventsOfFoundLine = async (
  { db: { sql } }: Pick<Deps, "db">,
  { row, line }: { row: InvoiceRow; line: InvoiceLineRow },
  request: PageRequest,
): Promise<{ events: (LineEvent & { capturedMinor?: bigint })[]; hasMore: boolean }> => {
  if (request.endingBefore !== null) throw fieldRefusal("#ending_before", "isn't supported: use starting_after");
  const refunds = await refundQueryOf(sql, row, line);
  if (refunds) {
    const page = await findPage(request, "refund", (id) => findRefundEventPlace(sql, refunds, id));
    const { rows, hasMore } = cutPage(await findRefundEvents(sql, refunds, page), page);
    return { events: rows, hasMore };
  }
  const query = meteredQueryOf(row, line);
  if (!query) return { events: [], hasMore: false };
  const page = await findPage(request, "event", (id) => findLineEventPlace(sql, query, id));
  const found = await listLineEvents(sql, query, { after: page.after, limit: page.limit });
  const { rows, hasMore } = cutPage(found, page);
  return { events: rows, hasMore };
};

const lineNotFound = () =>
  new DomainError("not_found", { code: "not_found", message: "Invoice line not found. Check the ID." });

/** The query that the line's set hash was computed with. */
const meteredQueryOf = ({ merchantId, currency }: InvoiceRow, line: InvoiceLineRow): MeteredQuery | null => {
  const { meter, eventsAsOf, periodFrom, periodTo, eventsReceivedFrom, eventMonths } = line;
  if (meter === null || eventsAsOf === null) return null;
  const months = eventMonths?.map(({ from, to }) => ({ from: new Date(from), to: new Date(to) }));
  return {
    merchantId,
    meter,
    currency,
    period: { from: periodFrom, to: periodTo },
    receivedBefore: eventsAsOf,
    receivedFrom: eventsReceivedFrom,
    ...(months ? { months } : {}),
  };
};

/** Whether a refund line charges the fees again because the refunds failed. */
export const isChargedAgain = ({ exact }: Pick<InvoiceLineRow, "exact">): boolean => parseExact(exact) > 0n;

/** Null for any line without refund events, for example a line of a credit note or a correction. */
const refundQueryOf = async (
  sql: Sql,
  { merchantId, subscriptionId, currency, periodFrom, periodTo }: InvoiceRow,
  line: InvoiceLineRow,
): Promise<RefundEventsQuery | null> => {
  if (line.kind !== "refund" || line.eventCount === null || subscriptionId === null) return null;
  const own = { from: periodFrom, to: periodTo };
  const refunded = line.replaces === null ? own : await getPeriodOfFirstLine(sql, line.replaces);
  const charged = { from: line.periodFrom, to: line.periodTo };
  return { merchantId, subscriptionId, currency, refunded, charged, isChargedAgain: isChargedAgain(line) };
};
