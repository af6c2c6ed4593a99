import {
  getPeriodOfFirstLine,
  listVoidedLines,
  type VoidedLineRow,
} from "../../../data/billing/invoices/voided-credits.ts";
import type { SubscriptionRow } from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../../data/client.ts";
import { type Exact, multiplyRatio, parseExact } from "../../rules/exact/exact.ts";
import type { EventSet, SupplyTax, VoidedCredit } from "../../rules/invoice/types.ts";
import { netCredits } from "../../rules/invoice/voided-credits.ts";
import type { Period } from "../../rules/usage-period.ts";
import { loadPeriodRefunds } from "./period-refunds.ts";
import type { RefundedFees } from "./refunded-fees.ts";

type Input = { row: SubscriptionRow; asOf: Date };

/**
 * The credits of void invoices that no final invoice has repeated yet, by currency. These are refunded fees, and the
 * usage and late usage of a period if its lines sum to a credit (docs/spec/billing.md, Invoices).
 */
export const loadVoidedCredits = async (sql: Sql, input: Input): Promise<Map<string, VoidedCredit[]>> => {
  const rows = await listVoidedLines(sql, input.row.id);
  const credits: { currency: string; credit: VoidedCredit }[] = [];
  const feesOf = refundsByPeriod(sql, input);
  for (const row of rows.filter(({ kind }) => kind === "refund")) {
    const credit = repeatRefunds(row, await feesOf(await getPeriodOfFirstLine(sql, row.id)));
    if (credit) credits.push({ currency: row.currency, credit });
  }
  for (const { row, exact } of usageCredits(rows.filter(({ kind }) => kind !== "refund"))) {
    credits.push({ currency: row.currency, credit: repeatUsage(row, exact) });
  }
  const byCurrency = Map.groupBy(credits, ({ currency }) => currency);
  return new Map([...byCurrency].map(([currency, some]) => [currency, some.map(({ credit }) => credit)]));
};

/** Loads the refunded fees of each period once: an invoice can have several lines of refunded fees. */
const refundsByPeriod = (sql: Sql, input: Input): ((period: Period) => Promise<RefundedFees>) => {
  const loaded = new Map<string, RefundedFees>();
  return async (period) => {
    const key = `${period.from.toISOString()} ${period.to.toISOString()}`;
    const fees = loaded.get(key) ?? (await loadPeriodRefunds(sql, input, period));
    loaded.set(key, fees);
    return fees;
  };
};

/**
 * Computes the refund line of a void invoice again. Since that invoice was issued, credit notes may have credited the
 * fees, or the invoice with the fees may have become void. Null if no amount is left.
 */
const repeatRefunds = (line: VoidedLineRow, fees: RefundedFees): VoidedCredit | null => {
  const before = parseExact(line.exact);
  const fee = fees
    .get(line.currency)
    ?.find((one) => one.period.from.getTime() === line.periodFrom.getTime() && one.exact < 0n === before < 0n);
  if (!fee || fee.exact === 0n || before === 0n) return null;
  const { exact, quantity, tax = taxOf(line), events = null } = fee;
  return { ...fieldsOf(line), quantity, exact, pricedExact: exact, tax, events };
};

/** The credits for usage. Lines are netted by invoice and undivided period. */
const usageCredits = (rows: readonly VoidedLineRow[]): { row: VoidedLineRow; exact: Exact }[] => {
  const groups = Map.groupBy(rows, ({ invoiceId, planId, planVersion, wholeFrom }) =>
    [invoiceId, planId, planVersion, wholeFrom?.toISOString()].join(" "),
  );
  return [...groups.values()]
    .flatMap((group) => netCredits(group.map((row) => ({ ...row, row, exact: parseExact(row.exact) }))))
    .filter(({ exact }) => exact < 0n);
};

const repeatUsage = (row: VoidedLineRow, exact: Exact): VoidedCredit => ({
  ...fieldsOf(row),
  quantity: BigInt(row.quantity),
  exact,
  pricedExact: multiplyRatio(parseExact(row.pricedExact), -exact, -parseExact(row.exact)),
  tax: taxOf(row),
  events: eventsOf(row),
});

const fieldsOf = (row: VoidedLineRow) => ({
  replaces: row.id,
  kind: row.kind,
  meter: row.meter,
  description: row.replaces === null ? `${row.description} (void invoice ${row.number})` : row.description,
  period: { from: row.periodFrom, to: row.periodTo },
  plan: row.planId === null || row.planVersion === null ? null : { id: row.planId, version: row.planVersion },
});

const taxOf = ({ taxCategory, taxRate, taxBehaviour }: VoidedLineRow): SupplyTax => ({
  category: taxCategory,
  rate: parseExact(taxRate),
  behaviour: taxBehaviour,
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
