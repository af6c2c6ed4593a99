import type { Deps } from "../../deps/deps.ts";
import { translator } from "../../kernel/messages/translator.ts";
import { toDecimal } from "../../kernel/money/money.ts";
import { toCsvLine } from "../../kernel/text/csv.ts";
import type { PayerCharge } from "../lists/list-charges.ts";
import { type ActivityFilters, listActivity } from "./list-activity.ts";

/** Rows per statement, and per part of the file. */
const pageRows = 500;

/**
 * The payer's activity as CSV (RFC 4180), newest first, in parts. The next page is read after the reader has taken the
 * previous part, so a long history needs little memory and no long statement. Times are in UTC and amounts are plain
 * decimals.
 */
export async function* exportActivity(
  deps: Pick<Deps, "db">,
  { locale, ...filters }: ActivityFilters & { payerId: string; locale: string },
): AsyncGenerator<string> {
  const t = translator(locale, "activity");
  const headings = [
    t("csv.id"),
    t("csv.date"),
    t("csv.merchant"),
    t("csv.agent"),
    t("csv.purpose"),
    t("csv.reference"),
    t("csv.status"),
    t("csv.currency"),
    t("csv.amount"),
    t("csv.captured"),
    t("csv.refunded"),
  ];
  // Spreadsheets read UTF-8 only with a byte order mark.
  yield `\ufeff${toCsvLine(headings)}`;
  let startingAfter: string | undefined;
  for (;;) {
    const { charges, hasMore } = await listActivity(deps, { ...filters, startingAfter, limit: pageRows });
    startingAfter = charges.at(-1)?.id;
    if (startingAfter === undefined) return;
    yield charges.map((charge) => toCsvLine(cellsOf(charge, locale))).join("");
    if (!hasMore) return;
  }
}

const cellsOf = (charge: PayerCharge, locale: string): string[] => {
  const { currency } = charge;
  const decimal = (amountMinor: bigint) => toDecimal({ amountMinor, currency });
  return [
    charge.id,
    charge.createdAt.toISOString(),
    charge.merchant.name,
    charge.client.name,
    charge.mandate.purpose,
    charge.reference ?? "",
    translator(locale, "activity")(`states.${charge.state}`),
    currency,
    decimal(charge.amountMinor),
    decimal(charge.amountCapturedMinor),
    decimal(charge.amountRefundedMinor),
  ];
};
