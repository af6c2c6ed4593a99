import type { toOverview } from "#server/trpc/merchant/payment-views.ts";
import { formatAmount, formatPaymentCount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import styles from "./payments.module.css";

/** The net volume of the week by currency, and the number of payments by status. */
export const OverviewFigures = ({
  overview: { volumes, paid, declined, open },
  reader,
}: {
  overview: Pick<ReturnType<typeof toOverview>, "volumes" | "paid" | "declined" | "open">;
  reader: Reader;
}) => (
  <dl className={`card ${styles.figures}`}>
    {volumes.map(({ currency, capturedMinor, refundedMinor }) => (
      <div key={currency}>
        <dt>Net volume ({currency})</dt>
        <dd>{formatAmount(capturedMinor - refundedMinor, currency, reader)}</dd>
      </div>
    ))}
    <div>
      <dt>Paid</dt>
      <dd>{formatPaymentCount(paid)}</dd>
    </div>
    <div>
      <dt>Declined</dt>
      <dd>{declined}</dd>
    </div>
    <div>
      <dt>Open</dt>
      <dd>{open}</dd>
    </div>
  </dl>
);
