import type { ReactNode } from "react";
import { formatAmount } from "../format/money.ts";
import type { Reader } from "../format/reader.ts";
import { CellNote } from "../ui/table.tsx";
import styles from "./charge-amount.module.css";

type Charge = { state: string; amountMinor: number; amountRefundedMinor: number; currency: string };

/** Took no money and never will. */
const isGone = ({ state }: Charge): boolean => state === "declined" || state === "voided" || state === "expired";

/** The last cell of a charge. What took no money is struck through, so that no sum is read from it. */
export const ChargeAmount = ({ charge, status, reader }: { charge: Charge; status: ReactNode; reader: Reader }) => (
  <>
    <span className={isGone(charge) ? styles.gone : undefined}>
      {formatAmount(charge.amountMinor, charge.currency, reader)}
    </span>
    {charge.amountRefundedMinor > 0 ? (
      <CellNote>−{formatAmount(charge.amountRefundedMinor, charge.currency, reader)} refunded</CellNote>
    ) : null}
    <CellNote isNarrow>{status}</CellNote>
  </>
);
