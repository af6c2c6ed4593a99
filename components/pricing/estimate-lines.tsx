import { formatAmount } from "#components/format/money.ts";
import type { EstimateObject } from "#server/billing/estimate/estimate.wire.ts";
import type { BillingInterval } from "#server/kernel/billing/interval-months.ts";
import styles from "./pricing.module.css";

const lengths = { month: "one month", quarter: "three months", year: "twelve months" } as const;

/** The lines of an estimate for one interval, with their sum. */
export const EstimateLines = ({
  invoice,
  interval,
  reader,
}: {
  invoice: EstimateObject["invoice"];
  interval: BillingInterval;
  reader: { locale: string };
}) => (
  <table className={styles.lines}>
    <caption className="visuallyHidden">Lines of the estimate for {lengths[interval]}</caption>
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
        <th scope="row">Total for {lengths[interval]}, without tax</th>
        <td />
        <td className="num">{formatAmount(invoice.total, invoice.currency, reader)}</td>
      </tr>
    </tfoot>
  </table>
);
