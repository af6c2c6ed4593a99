"use client";
import { useState } from "react";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { ReasonDialog, ReasonField } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { IfAllowed } from "../if-allowed.tsx";

type Props = { paymentId: string; email: string };

/** Looks the payment up again, or settles it by hand. Both need a reason for the audit log. */
export const PaymentReviewActs = (props: Props) => (
  <div className={styles.acts}>
    <IfAllowed action="billing_payment.search">
      <SearchPayment {...props} />
    </IfAllowed>
    <IfAllowed action="billing_payment.settle">
      <SettlePayment {...props} />
    </IfAllowed>
  </div>
);

const SearchPayment = ({ paymentId, email }: Props) => {
  const stepUp = useStepUp(email, "Confirm and continue");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const [isUnknown, setIsUnknown] = useState(false);
  const search = (reason: string) =>
    run(async () => {
      const { outcome } = await trpc.operatorDunning.search.mutate({ paymentId, reason });
      setIsUnknown(outcome === "unknown");
    });
  return (
    <>
      <Button onClick={open}>Search again</Button>
      {isUnknown ? (
        <div className={styles.live}>
          <Notice tone="note" isLive>
            The processor doesn’t know the outcome. The payment is unchanged.
          </Notice>
        </div>
      ) : null}
      <ReasonDialog {...dialog} stepUp={stepUp.dialog} title="Search again?" confirmLabel="Search" onConfirm={search}>
        We ask the processor again. If the processor knows the outcome, the payment is settled immediately.
      </ReasonDialog>
    </>
  );
};

type FindingKind = "succeeded" | "declined" | "nothing";

const effects: Readonly<Record<FindingKind, string>> = {
  succeeded: "The merchant has paid. The invoice is settled with this payment.",
  declined: "No money moved. The merchant gets an e-mail, and the payment is tried again on the next dunning day.",
  nothing: "No money moved, and another attempt follows. Make sure that the request can no longer reach the processor.",
};

const SettlePayment = ({ paymentId, email }: Props) => {
  const stepUp = useStepUp(email, "Confirm and continue");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const [kind, setKind] = useState<FindingKind>("succeeded");
  const settle = (form: FormData) => {
    const finding = kind === "nothing" ? { kind } : { kind, processorRef: textField(form, "processorRef") };
    return run(() => trpc.operatorDunning.settle.mutate({ paymentId, reason: textField(form, "reason"), finding }));
  };
  return (
    <>
      <Button variant="primary" onClick={open}>
        Settle payment
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title="Settle this payment?"
        confirmLabel="Settle payment"
        fields={
          <>
            <FindingFields kind={kind} setKind={setKind} />
            <ReasonField />
            <p className="small">{effects[kind]} This can’t be undone.</p>
          </>
        }
        onConfirm={settle}
      />
    </>
  );
};

const FindingFields = ({ kind, setKind }: { kind: FindingKind; setKind: (kind: FindingKind) => void }) => (
  <>
    <Select
      label="What you found at the processor"
      name="kind"
      value={kind}
      onChange={(event) => setKind(event.currentTarget.value as FindingKind)}
    >
      <option value="succeeded">A successful payment</option>
      <option value="declined">A declined payment</option>
      <option value="nothing">No payment</option>
    </Select>
    {kind === "nothing" ? null : (
      <Field
        label="Processor’s payment ID"
        name="processorRef"
        required
        maxLength={200}
        pattern="[!-~]+"
        autoComplete="off"
        hint="As shown by the processor, without spaces."
      />
    )}
  </>
);
