import type { MerchantPaymentDetail } from "#server/trpc/merchant/payment-views.ts";
import { describePaymentEntry, paymentEntryActor } from "../../format/labels/payment-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Timeline, TimelineItem } from "../../portal/timeline.tsx";

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
  <Timeline>
    {payment.timeline.map((entry) => {
      const amount = entry.amountMinor === null ? null : formatAmount(entry.amountMinor, payment.currency, reader);
      const actor = paymentEntryActor(entry);
      return (
        <TimelineItem
          key={`${entry.at}-${entry.subjectId}-${entry.action}`}
          at={entry.at}
          now={now}
          reader={reader}
          notes={[actor]}
        >
          <span>{describePaymentEntry(entry, amount)}</span>
        </TimelineItem>
      );
    })}
    <TimelineItem at={payment.createdAt} now={now} reader={reader}>
      <span>Requested: {formatAmount(payment.amountMinor, payment.currency, reader)}</span>
    </TimelineItem>
  </Timeline>
);
