import type { Deps } from "../../deps/deps.ts";
import { toDecimal } from "../../kernel/money/money.ts";
import { toCsvLine } from "../../kernel/text/csv.ts";
import type { ChargeState } from "../rules/charge-states.ts";
import { findPayments, type PaymentView } from "./find-payments.ts";

/** The number of rows per statement and per part of the file. */
const pageRows = 500;

const headings = [
  "Payment ID",
  "Created (UTC)",
  "Status",
  "Currency",
  "Amount",
  "Captured",
  "Refunded",
  "Reference",
  "Decline code",
  "Agent",
  "Agent client ID",
  "Mandate ID",
  "Processor reference",
];

type Filters = {
  merchantId: string;
  mandateId?: string | undefined;
  states?: readonly ChargeState[] | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  search?: string | undefined;
};

/**
 * A merchant's payments as CSV (RFC 4180), newest first, in parts. The next page is read after the consumer has taken
 * the previous part. Times are in UTC, amounts are plain decimals, and states are named as in the API.
 */
export async function* exportPayments(deps: Pick<Deps, "db">, filters: Filters): AsyncGenerator<string> {
  // Spreadsheets read UTF-8 only with a byte order mark.
  yield `\ufeff${toCsvLine(headings)}`;
  let startingAfter: string | undefined;
  for (;;) {
    const { payments, hasMore } = await findPayments(deps, { ...filters, startingAfter, limit: pageRows });
    startingAfter = payments.at(-1)?.id;
    if (startingAfter === undefined) return;
    yield payments.map((payment) => toCsvLine(cellsOf(payment))).join("");
    if (!hasMore) return;
  }
}

const cellsOf = (payment: PaymentView): string[] => {
  const { currency } = payment;
  const decimal = (amountMinor: bigint) => toDecimal({ amountMinor, currency });
  return [
    payment.id,
    payment.createdAt.toISOString(),
    payment.state,
    currency,
    decimal(payment.amount),
    decimal(payment.amountCaptured),
    decimal(payment.amountRefunded),
    payment.reference ?? "",
    payment.decline?.decline_code ?? "",
    payment.mandate.client.name,
    payment.mandate.client.id,
    payment.mandateId,
    payment.processorRef ?? "",
  ];
};
