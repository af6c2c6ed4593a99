"use client";
import { trpc } from "../../portal/acts/trpc-client.ts";
import styles from "../../portal/portal.module.css";
import { IfAllowed } from "../if-allowed.tsx";
import { SearchAgain } from "../review/search-again.tsx";
import { SettleByHand } from "../review/settle-by-hand.tsx";

const effects = {
  succeeded: "The merchant has paid. The invoice is settled with this payment.",
  declined:
    "No money moved. The merchant gets an e-mail. If a retry is left, the payment is tried again on the next retry day.",
  nothing:
    "No money moved, and another payment attempt follows. Choose this only if the first attempt can no longer reach the processor. Otherwise, the merchant may pay twice.",
} as const;

/** Looks the payment up again, or settles it by hand. Both need a reason for the audit log. */
export const PaymentReviewActs = ({ paymentId, email }: { paymentId: string; email: string }) => {
  const search = async (reason: string) => {
    const { outcome } = await trpc.operatorDunning.search.mutate({ paymentId, reason });
    return outcome === "unknown" ? "The outcome is still unknown. The payment is unchanged." : null;
  };
  return (
    <div className={styles.acts}>
      <IfAllowed action="billing_payment.search">
        <SearchAgain noun="payment" email={email} search={search} />
      </IfAllowed>
      <IfAllowed action="billing_payment.settle">
        <SettleByHand
          noun="payment"
          email={email}
          effects={effects}
          settle={(settlement) => trpc.operatorDunning.settle.mutate({ paymentId, ...settlement })}
        />
      </IfAllowed>
    </div>
  );
};
