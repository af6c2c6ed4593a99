import { formatAmount } from "../format/money.ts";
import type { Reader } from "../format/reader.ts";
import { CellNote } from "../ui/table.tsx";
import styles from "./charge-amount.module.css";

type Charge = { state: string; amountMinor: number; amountRefundedMinor: number; currency: string };

/** No money was taken, and none will be. */
const isUnpaid = ({ state }: Charge): boolean => state === "declined" || state === "voided" || state === "expired";

/** The amount cell of a charge. The amount is struck through if the charge ended without payment. */
export const ChargeAmount = ({
  charge,
  reader,
  refunded = (amount) => `−${amount} refunded`,
}: {
  charge: Charge;
  reader: Reader;
  /** Payer-facing pages pass the text in the payer's language. */
  refunded?: (amount: string) => string;
}) => (
  <>
    <Amount isStruckThrough={isUnpaid(charge)}>{formatAmount(charge.amountMinor, charge.currency, reader)}</Amount>
    {charge.amountRefundedMinor > 0 ? (
      <CellNote>{refunded(formatAmount(charge.amountRefundedMinor, charge.currency, reader))}</CellNote>
    ) : null}
  </>
);

/** @param isStruckThrough whether no money moved */
export const Amount = ({ isStruckThrough, children }: { isStruckThrough: boolean; children: string }) => (
  <span className={isStruckThrough ? styles.void : undefined}>{children}</span>
);
