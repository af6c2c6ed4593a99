import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { type InvoiceSums, sumsOf } from "./sums-of.ts";

/** Rows of a table with the columns line, quantity and amount: the steps from the sum of the lines to the amount due. */
export const SumRows = ({ sums, reader }: { sums: InvoiceSums; reader: Reader }) =>
  sumsOf(sums, reader).map(({ name, amountMinor, isResult }) => (
    <tr key={name}>
      <td>{isResult ? <strong>{name}</strong> : <span className="muted">{name}</span>}</td>
      <td />
      <td>
        {isResult ? (
          <strong>{formatAmount(amountMinor, sums.currency, reader)}</strong>
        ) : (
          formatAmount(amountMinor, sums.currency, reader)
        )}
      </td>
    </tr>
  ));
