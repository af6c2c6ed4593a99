"use client";
import { trpc } from "../../portal/acts/trpc-client.ts";
import styles from "../../portal/portal.module.css";
import { IfAllowed } from "../if-allowed.tsx";
import { SearchAgain } from "../review/search-again.tsx";
import { SettleByHand } from "../review/settle-by-hand.tsx";

const unknown = {
  nothing: "The processor has no such payment. The charge is unchanged, and its amount stays on hold.",
  contradiction:
    "The processor has a payment with another amount or currency. The charge is unchanged, and its amount stays on hold.",
  no_answer: "The processor didn’t respond. Try again later. The amount stays on hold.",
} as const;

const effects = {
  succeeded: "The payer has paid. The amount counts as used, and the merchant is notified that the charge succeeded.",
  declined: "No money moved. The amount is released, and the merchant is notified that the charge was declined.",
  nothing:
    "No money moved. The amount is released, and the merchant is notified that it can retry safely. Make sure that the request can no longer reach the processor.",
} as const;
const manual = {
  succeeded: "An authorized payment",
  effects: { ...effects, succeeded: "The amount stays on hold, and the merchant can capture it." },
} as const;

type Props = { chargeId: string; isManual: boolean; email: string };

/** Looks the charge up again, or settles it by hand. Both need a reason for the audit log. */
export const ChargeActs = ({ chargeId, isManual, email }: Props) => {
  const search = async (reason: string) => {
    const { found } = await trpc.operator.searchCharge.mutate({ chargeId, reason });
    return found === "settled" ? null : unknown[found];
  };
  return (
    <div className={styles.acts}>
      <IfAllowed action="charge_under_review.search">
        <SearchAgain noun="charge" email={email} search={search} />
      </IfAllowed>
      <IfAllowed action="charge_under_review.settle">
        <SettleByHand
          noun="charge"
          email={email}
          {...(isManual ? manual : { effects })}
          settle={(settlement) => trpc.operator.settleCharge.mutate({ chargeId, ...settlement })}
        />
      </IfAllowed>
    </div>
  );
};
