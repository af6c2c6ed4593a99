import { listVoidedLines, type VoidedLineRow } from "../../../data/billing/invoices/voided-credits.ts";
import { listSupplies } from "../../../data/billing/subscriptions/supplies.ts";
import type { Sql } from "../../../data/client.ts";
import { larger } from "../../../kernel/money/smaller.ts";
import { type Exact, parseExact, toExact } from "../../rules/exact/exact.ts";
import type { EventSet, VoidedCredit } from "../../rules/invoice/types.ts";
import { netCredits } from "../../rules/invoice/voided-credits.ts";

/**
 * The credits of void invoices that no final invoice has repeated, by currency: refunded fees, and late usage of
 * periods whose late lines together were a credit (docs/spec/billing.md, The billing run).
 */
export const loadVoidedCredits = async (sql: Sql, subscriptionId: string): Promise<Map<string, VoidedCredit[]>> => {
  const rows = await listVoidedLines(sql, subscriptionId);
  if (rows.length === 0) return new Map();
  const late = Map.groupBy(
    rows.filter(({ kind }) => kind === "late"),
    ({ invoiceId, planId, planVersion, wholeFrom }) =>
      [invoiceId, planId, planVersion, wholeFrom?.toISOString()].join(" "),
  );
  const corrections = [...late.values()].flatMap((group) =>
    netCredits(group.map((row) => ({ ...row, row, exact: parseExact(row.exact) }))),
  );
  const refunds = await keptRefunds(sql, subscriptionId, rows);
  const credits = [...corrections.map(({ row, exact }) => ({ row, exact })), ...refunds].filter(
    ({ exact }) => exact < 0n,
  );
  const byCurrency = Map.groupBy(credits, ({ row }) => row.currency);
  return new Map([...byCurrency].map(([currency, some]) => [currency, some.map(toCredit)]));
};

/** The credit of a refunded fee is at most the part of the fee that void invoices and credit notes haven't canceled. */
const keptRefunds = async (sql: Sql, subscriptionId: string, rows: readonly VoidedLineRow[]) => {
  const refunds = rows.filter(({ kind }) => kind === "refund");
  const starts = refunds.map(({ periodFrom }) => periodFrom);
  const supplies = refunds.length === 0 ? [] : await listSupplies(sql, subscriptionId, starts);
  return refunds.map((row) => {
    const supply = supplies.find(
      ({ currency, meter, periodFrom }) =>
        currency === row.currency && meter === row.meter && periodFrom.getTime() === row.periodFrom.getTime(),
    );
    const exact = parseExact(row.exact);
    return { row, exact: supply ? larger(exact, -toExact(larger(BigInt(supply.kept), 0n))) : exact };
  });
};

const toCredit = ({ row, exact }: { row: VoidedLineRow; exact: Exact }): VoidedCredit => ({
  replaces: row.id,
  kind: row.kind,
  meter: row.meter,
  description: row.replaces === null ? `${row.description} (void invoice ${row.number})` : row.description,
  period: { from: row.periodFrom, to: row.periodTo },
  plan: row.planId === null || row.planVersion === null ? null : { id: row.planId, version: row.planVersion },
  quantity: BigInt(row.quantity),
  exact,
  pricedExact: parseExact(row.pricedExact),
  tax: { category: row.taxCategory, rate: parseExact(row.taxRate), behaviour: row.taxBehaviour },
  events: eventsOf(row),
});

const eventsOf = ({
  eventCount,
  eventSetHash,
  eventsAsOf,
  eventsReceivedFrom,
  eventMonths,
}: VoidedLineRow): EventSet | null => {
  if (eventCount === null || eventSetHash === null || eventsAsOf === null) return null;
  const months = eventMonths?.map(({ from, to }) => ({ from: new Date(from), to: new Date(to) }));
  const set = { count: eventCount, setHash: eventSetHash, asOf: eventsAsOf, receivedFrom: eventsReceivedFrom };
  return months ? { ...set, months } : set;
};
