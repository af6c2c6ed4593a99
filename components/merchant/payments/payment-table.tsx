import type { MerchantPayment } from "#server/trpc/merchant/payment-views.ts";
import { paymentStateLabel } from "../../format/labels/payment-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { ChargeAmount } from "../../portal/charge-amount.tsx";
import { Pill } from "../../ui/pill.tsx";
import { RowLink, Table } from "../../ui/table.tsx";

/** Payments, newest first. */
export const PaymentTable = ({
  payments,
  now,
  reader,
}: {
  payments: readonly MerchantPayment[];
  now: Date;
  reader: Reader;
}) => (
  <Table caption="Payments" columns={["Payment", "Agent", { date: "When" }, { short: "Status" }, { figure: "Amount" }]}>
    <tbody>
      {payments.map((payment) => {
        const { tone, label } = paymentStateLabel(payment);
        return (
          <tr key={payment.id}>
            <td>
              <RowLink href={`/merchant/payments/${payment.id}`}>
                {payment.reference ?? <code>{payment.id}</code>}
              </RowLink>
            </td>
            <td>{payment.client.name}</td>
            <td className="muted">
              <Time at={payment.createdAt} now={now} reader={reader} />
            </td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
            <td>
              <ChargeAmount charge={payment} reader={reader} />
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
