import Link from "next/link";
import type { WalletCharge } from "#server/trpc/views.ts";
import { moment, money, type Reader } from "../mandates/words.ts";
import { Pill } from "../ui/pill.tsx";
import { Table } from "../ui/table.tsx";
import styles from "./charge-table.module.css";
import { chargeWords } from "./mandate-words.ts";

/** Where the payer answers it. */
const needsPayer = ({ state }: Pick<WalletCharge, "state">): boolean => state === "requires_action";

/** Charges, newest first. What didn't happen is struck through, so that no sum is read from it. */
export const ChargeTable = ({
  caption,
  charges,
  now,
  reader,
  hasMandate = true,
}: {
  caption: string;
  charges: readonly WalletCharge[];
  now: Date;
  reader: Reader;
  hasMandate?: boolean;
}) => (
  <Table caption={caption}>
    <thead>
      <tr>
        <th scope="col">Merchant</th>
        {hasMandate ? (
          <th scope="col" data-wide>
            Mandate
          </th>
        ) : null}
        <th scope="col">When</th>
        <th scope="col" data-wide>
          Status
        </th>
        <th scope="col">Amount</th>
      </tr>
    </thead>
    <tbody>
      {charges.map((charge) => {
        const { tone, label } = chargeWords(charge);
        const status = needsPayer(charge) ? <Link href={`/wallet/approvals/${charge.id}`}>{label}</Link> : label;
        const isGone = charge.state === "declined" || charge.state === "voided" || charge.state === "expired";
        return (
          <tr key={charge.id}>
            <td>
              {charge.merchant.name}
              {charge.reference ? <span className={styles.what}>{charge.reference}</span> : null}
            </td>
            {hasMandate ? (
              <td data-wide>
                <Link href={`/wallet/mandates/${charge.mandate.id}`}>{charge.client.name}</Link>
                {charge.mandate.purpose ? <span className={styles.what}>{charge.mandate.purpose}</span> : null}
              </td>
            ) : null}
            <td className="muted">{moment(new Date(charge.createdAt), now, reader)}</td>
            <td data-wide>
              <Pill tone={tone}>{status}</Pill>
            </td>
            <td>
              <span className={isGone ? styles.gone : undefined}>
                {money(charge.amountMinor, charge.currency, reader)}
              </span>
              {charge.amountRefundedMinor > 0 ? (
                <span className={styles.what}>
                  −{money(charge.amountRefundedMinor, charge.currency, reader)} refunded
                </span>
              ) : null}
              <span className={`${styles.what} ${styles.narrow}`}>{status}</span>
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
