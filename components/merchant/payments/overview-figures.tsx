import { Fragment } from "react";
import type { toOverview } from "#server/trpc/merchant/payment-views.ts";
import { formatAmount, formatPaymentCount } from "../../format/money.ts";
import { formatPercent } from "../../format/percent.ts";
import type { Reader } from "../../format/reader.ts";
import styles from "./payments.module.css";

/** Volume and net volume by currency, the number of payments by status, and the disputes of the period. */
export const OverviewFigures = ({
  overview: { volumes, paid, declined, open, disputed, trend },
  reader,
}: {
  overview: ReturnType<typeof toOverview>;
  reader: Reader;
}) => (
  <dl className={`card ${styles.figures}`}>
    {volumes.map(({ currency, capturedMinor, refundedMinor }) => (
      <Fragment key={currency}>
        <div>
          <dt>Volume ({currency})</dt>
          <dd>{formatAmount(capturedMinor, currency, reader)}</dd>
        </div>
        <div>
          <dt>Net volume ({currency})</dt>
          <dd>{formatAmount(capturedMinor - refundedMinor, currency, reader)}</dd>
        </div>
      </Fragment>
    ))}
    <div>
      <dt>Success rate</dt>
      <dd>{trend.successRate === null ? "–" : formatPercent(trend.successRate, reader)}</dd>
    </div>
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
    <div>
      <dt>Disputes</dt>
      <dd>{disputed}</dd>
    </div>
  </dl>
);
