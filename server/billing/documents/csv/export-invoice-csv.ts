import { readBillableUsage } from "../../../data/billing/meters/billable-usage.ts";
import { getSubscriptionRow } from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Deps } from "../../../deps/deps.ts";
import { getPlanVersion } from "../../catalogue/get-plan-version.ts";
import { toInvoiceObject } from "../../invoices/invoice.wire.ts";
import { getInvoice } from "../../invoices/read/get-invoice.ts";
import { isChargedAgain, listEventsOfFoundLine } from "../../invoices/read/list-line-events.ts";
import { parseExact } from "../../rules/exact/exact.ts";
import { addUsage, earlierUsage } from "../../rules/invoice/shared-usage.ts";
import { type MeterUsage, noUsage, type Price } from "../../rules/plans/terms.ts";
import { loadEarlierParts } from "../../subscriptions/gather/earlier-parts.ts";
import { invoiceCsv, type LineEvents } from "./invoice-csv.ts";
import { type PricedEvent, priceEachEvent, priceEachRefund } from "./price-each-event.ts";

type Input = { merchantId: string; invoiceId: string };
type Found = Awaited<ReturnType<typeof getInvoice>>;
type Row = Found["lines"][number];

/** Number of events that are read and written at a time. */
const pageEvents = 1_000;

/**
 * The events behind each line of an invoice or draft as CSV, in parts.
 * @throws DomainError not_found, also for another merchant's invoice.
 */
export const exportInvoiceCsv = async (
  deps: Pick<Deps, "db" | "businessClock">,
  input: Input,
): Promise<AsyncGenerator<string>> => {
  const found = await getInvoice(deps, input);
  const rows = new Map(found.lines.map((row) => [row.id, row]));
  return invoiceCsv(toInvoiceObject(found.document).lines, async ({ id }): Promise<LineEvents> => {
    const row = rows.get(id);
    const price = row ? await findPrice(deps, found, row) : null;
    if (!row || price === null) return null;
    return {
      batches: eventsOf(deps, found, row),
      price: await pricing(deps, found, { row, price }),
      pricedExact: row.kind === "refund" || row.replaces !== null ? null : parseExact(row.pricedExact),
    };
  });
};

/** Returns the function that prices each event of a line, on top of the usage that was billed earlier. */
const pricing = async (
  deps: Pick<Deps, "db" | "businessClock">,
  found: Found,
  { row, price }: { row: Row; price: Price },
) => {
  const earlier = price.model === "basis_points" ? null : await usageOfEarlierParts(deps, found, row);
  if (row.kind === "refund") {
    const usage = await usageUntil(deps, found, { row, cutOff: row.eventsAsOf });
    const credited = priceEachRefund(price, { usage, earlier });
    return isChargedAgain(row) ? (event: PricedEvent) => -credited(event) : credited;
  }
  if (row.eventsReceivedFrom === null) return priceEachEvent(price, earlier);
  const before = await usageUntil(deps, found, { row, cutOff: row.eventsReceivedFrom });
  return priceEachEvent(price, earlier ? addUsage(earlier, before) : before);
};

const usageOfEarlierParts = async (
  { db: { sql }, businessClock }: Pick<Deps, "db" | "businessClock">,
  found: Found,
  line: Row,
) => {
  const { subscriptionId, currency, planId, planVersion } = found.row;
  if (subscriptionId === null || line.meter === null || line.eventsAsOf === null) return null;
  const row = await getSubscriptionRow(sql, subscriptionId);
  const period = {
    planId: line.planId ?? planId,
    planVersion: line.planVersion ?? planVersion,
    from: line.periodFrom,
  };
  const at = await businessClock.now();
  const plan = await getPlanVersion(sql, { planId: period.planId, version: period.planVersion, at });
  const earlier = await loadEarlierParts(sql, { row, period, plan, currency, asOf: line.eventsAsOf });
  return earlierUsage(earlier, line.meter);
};

/** Returns null for a line without priced events: a fee, or a line of a credit note. */
const findPrice = async (
  deps: Pick<Deps, "db" | "businessClock">,
  { row: invoice }: Found,
  line: Row,
): Promise<Price | null> => {
  if (line.meter === null || line.eventsAsOf === null) return null;
  const planId = line.planId ?? invoice.planId;
  const version = line.planVersion ?? invoice.planVersion;
  const plan = await getPlanVersion(deps.db.sql, { planId, version, at: await deps.businessClock.now() });
  return plan.terms.currencies.get(invoice.currency)?.prices.get(line.meter) ?? null;
};

/**
 * The usage of a line's period that was received before a cut-off. The prices depend on this usage: late events are
 * priced on top of the usage that was billed earlier, and the fee of a refunded charge may depend on all charges of its
 * period.
 */
const usageUntil = async (
  { db }: Pick<Deps, "db">,
  { row: { merchantId, currency } }: Found,
  { row: { meter, periodFrom, periodTo }, cutOff }: { row: Row; cutOff: Date | null },
): Promise<MeterUsage> => {
  if (cutOff === null) return noUsage;
  const period = { from: periodFrom, to: periodTo };
  const query = { merchantId, period, currency, includeUncurrencied: true, receivedBefore: cutOff };
  return (await readBillableUsage(db.sql, query)).get(meter ?? "") ?? noUsage;
};

async function* eventsOf(deps: Pick<Deps, "db">, { row }: Found, line: Row) {
  let startingAfter: string | null = null;
  for (;;) {
    const page = { limit: pageEvents, startingAfter, endingBefore: null };
    const { events, hasMore }: Awaited<ReturnType<typeof listEventsOfFoundLine>> = await listEventsOfFoundLine(
      deps,
      { row, line },
      page,
    );
    yield events.map(({ amount, ...event }) => ({ ...event, amountMinor: amount }));
    startingAfter = events.at(-1)?.id ?? null;
    if (!hasMore || startingAfter === null) return;
  }
}
