"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmDialog } from "../../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../../portal/acts/use-confirm-dialog.ts";
import styles from "../../../portal/portal.module.css";
import { Button } from "../../../ui/button.tsx";
import { Notice, type NoticeTone } from "../../../ui/notice.tsx";

/** While the outcome is unknown, `InvoicePayment` says that a payment is in progress, and refreshes the page. */
type Outcome = Exclude<Awaited<ReturnType<typeof trpc.merchantCollection.pay.mutate>>["outcome"], "unknown">;

const outcomes: Readonly<Record<Outcome, { tone: NoticeTone; text: string }>> = {
  paid: { tone: "good", text: "The invoice is paid." },
  declined: { tone: "bad", text: "The payment was declined. The list of attempts below says what to do." },
  unresolved: { tone: "note", text: "A payment is already in progress. No new payment was started." },
  not_submitted: {
    tone: "warn",
    text: "The payment processor can’t be reached. Nothing was charged. Try again later.",
  },
  held: { tone: "warn", text: "The invoice can’t be paid with a card now. Nothing was charged." },
  not_scheduled: { tone: "note", text: "Nothing was charged." },
};

type Props = { merchantId: string; invoiceId: string; amount: string; method: string; isPayable: boolean };

/** If the invoice isn't payable, shows only the outcome of the last payment, without the button. */
export const PayNow = ({ merchantId, invoiceId, amount, method, isPayable }: Props) => {
  const router = useRouter();
  const { open, dialog, run } = useConfirmDialog(() => {
    router.refresh();
    return false;
  });
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const pay = () =>
    run(async () => {
      const { outcome: result } = await trpc.merchantCollection.pay.mutate({ merchantId, invoiceId });
      setOutcome(result === "unknown" ? null : result);
    });
  if (!isPayable && outcome === null) return null;
  return (
    <div className={styles.acts}>
      {isPayable ? (
        <Button variant="primary" onClick={open}>
          Pay now
        </Button>
      ) : null}
      <div className={styles.live}>
        {outcome === null ? null : (
          <Notice tone={outcomes[outcome].tone} isLive>
            {outcomes[outcome].text}
          </Notice>
        )}
      </div>
      <ConfirmDialog {...dialog} title={`Pay ${amount}?`} confirmLabel={`Pay ${amount}`} onConfirm={pay}>
        {amount} is charged to {method} now.
      </ConfirmDialog>
    </div>
  );
};
