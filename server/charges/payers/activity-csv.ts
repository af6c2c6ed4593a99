import type { Deps } from "../../deps/deps.ts";
import { translator } from "../../kernel/messages/translator.ts";
import { toDecimal } from "../../kernel/money/money.ts";
import { toCsvLine } from "../../kernel/text/csv.ts";
import { type ActivityFilters, listActivity, type PayerEntry } from "./list-activity.ts";

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
    t("csv.kind"),
  ];
  // Spreadsheets read UTF-8 only with a byte order mark.
  yield `\ufeff${toCsvLine(headings)}`;
  let startingAfter: string | undefined;
  for (;;) {
    const { entries, hasMore } = await listActivity(deps, { ...filters, startingAfter, limit: pageRows });
    startingAfter = entries.at(-1)?.id;
    if (startingAfter === undefined) return;
    yield entries.map((entry) => toCsvLine(cellsOf(entry, locale))).join("");
    if (!hasMore) return;
  }
}

/**
 * The row of a refund contains the id of its payment and the amount of the refund. Its cells for paid and refunded
 * money are empty, because these sums are in the payment's row and would otherwise count twice.
 */
const cellsOf = (entry: PayerEntry, locale: string): string[] => {
  const t = translator(locale, "activity");
  const decimal = (amountMinor: bigint) => toDecimal({ amountMinor, currency: entry.currency });
  const isCharge = entry.kind === "charge";
  return [
    isCharge ? entry.id : entry.chargeId,
    entry.createdAt.toISOString(),
    entry.merchant.name,
    entry.client.name,
    entry.mandate.purpose,
    entry.reference ?? "",
    isCharge ? t(`states.${entry.state}`) : t(`charge.refundStates.${entry.status}`),
    entry.currency,
    decimal(entry.amountMinor),
    isCharge ? decimal(entry.amountCapturedMinor) : "",
    isCharge ? decimal(entry.amountRefundedMinor) : "",
    t(`kinds.${entry.kind}`),
  ];
};
