import { formatAmount } from "#components/format/money.ts";
import type { EstimateObject } from "#server/billing/estimate/estimate.wire.ts";
import styles from "./pricing.module.css";

/** The lines of an estimate, with their sum. */
export const EstimateLines = ({
  invoice,
  reader,
}: {
  invoice: EstimateObject["invoice"];
  reader: { locale: string };
}) => (
  <table className={styles.lines}>
    <caption className="visuallyHidden">Lines of the estimate</caption>
    <thead>
      <tr>
        <th scope="col">Line</th>
        <th scope="col">Quantity</th>
        <th scope="col">Amount</th>
      </tr>
    </thead>
    <tbody>
      {invoice.lines.map((line) => (
        <tr key={line.id}>
          <th scope="row">{line.description}</th>
          <td className="num">{new Intl.NumberFormat(reader.locale).format(BigInt(line.quantity))}</td>
          <td className="num">{formatAmount(line.amount, invoice.currency, reader)}</td>
        </tr>
      ))}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">Total without tax</th>
        <td />
        <td className="num">{formatAmount(invoice.total, invoice.currency, reader)}</td>
      </tr>
    </tfoot>
  </table>
);
