import type { MerchantPaymentDetail } from "#server/trpc/merchant/payment-views.ts";
import { describePaymentEntry } from "../../format/labels/payment-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import styles from "../../portal/timeline.module.css";

/** The history of the payment, its refunds and disputes, newest first, from the audit log. */
export const PaymentTimeline = ({
  payment,
  now,
  reader,
}: {
  payment: MerchantPaymentDetail;
  now: Date;
  reader: Reader;
}) => (
  <ol className={styles.timeline}>
    {payment.timeline.map((entry) => (
      <li key={`${entry.at}-${entry.subjectId}-${entry.action}`}>
        <span>
          {describePaymentEntry(entry)}
          {entry.amountMinor === null ? "" : `: ${formatAmount(entry.amountMinor, payment.currency, reader)}`}
        </span>
        <When at={entry.at} now={now} reader={reader} />
      </li>
    ))}
    <li>
      <span>
        {payment.client.name} requested {formatAmount(payment.amountMinor, payment.currency, reader)}
      </span>
      <When at={payment.createdAt} now={now} reader={reader} />
    </li>
  </ol>
);

const When = ({ at, now, reader }: { at: string; now: Date; reader: Reader }) => (
  <div className="tiny num">
    <Time at={at} now={now} reader={reader} />
  </div>
);
