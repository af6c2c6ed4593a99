import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { formatUnitPrice } from "../../pricing/price-texts.ts";

type Line = { exact: string; amountMinor: number };

/** An exact amount can be negative, for example for a refunded fee. */
const formatExactAmount = (exact: string, currency: string, reader: Reader): string =>
  exact.startsWith("-")
    ? `-${formatUnitPrice(exact.slice(1), currency, reader.locale)}`
    : formatUnitPrice(exact, currency, reader.locale);

/** The amount of a line. If rounding changed the amount, the reader can open it to see the exact amount. */
export const LineAmount = ({ line, currency, reader }: { line: Line; currency: string; reader: Reader }) => {
  const amount = formatAmount(line.amountMinor, currency, reader);
  if (line.exact === String(line.amountMinor)) return amount;
  return (
    <details>
      <summary>{amount}</summary>
      <span className="muted small">Exact: {formatExactAmount(line.exact, currency, reader)}</span>
    </details>
  );
};

export const formatQuantity = (quantity: string, reader: Reader): string =>
  new Intl.NumberFormat(reader.locale).format(BigInt(quantity));
