import Link from "next/link";
import type { MerchantPayment } from "#server/trpc/payment-views.ts";
import { moment, money, type Reader } from "../mandates/words.ts";
import { Pill } from "../ui/pill.tsx";
import { Table } from "../ui/table.tsx";
import styles from "./payments.module.css";
import { isGone, paymentWords } from "./words.ts";

/** Payments, newest first. What took no money is struck through, so that no sum is read from it. */
export const PaymentTable = ({
  payments,
  now,
  reader,
}: {
  payments: readonly MerchantPayment[];
  now: Date;
  reader: Reader;
}) => (
  <Table caption="Payments">
    <thead>
      <tr>
        <th scope="col">Payment</th>
        <th scope="col" data-wide>
          Asked by
        </th>
        <th scope="col">When</th>
        <th scope="col" data-wide>
          Status
        </th>
        <th scope="col">Amount</th>
      </tr>
    </thead>
    <tbody>
      {payments.map((payment) => {
        const { tone, label } = paymentWords(payment);
        return (
          <tr key={payment.id}>
            <td>
              <Link href={`/merchant/payments/${payment.id}`}>{payment.reference ?? payment.id}</Link>
            </td>
            <td data-wide>{payment.client.name}</td>
            <td className="muted">{moment(new Date(payment.createdAt), now, reader)}</td>
            <td data-wide>
              <Pill tone={tone}>{label}</Pill>
            </td>
            <td>
              <span className={isGone(payment) ? styles.gone : undefined}>
                {money(payment.amountMinor, payment.currency, reader)}
              </span>
              {payment.amountRefundedMinor > 0 ? (
                <span className={styles.what}>
                  −{money(payment.amountRefundedMinor, payment.currency, reader)} refunded
                </span>
              ) : null}
              <span className={`${styles.what} ${styles.narrow}`}>{label}</span>
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
