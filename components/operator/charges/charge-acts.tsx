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

type ChargeActsProps = { chargeId: string; isManual: boolean; email: string };

/** Looks the charge up again, or settles it by hand. Both need a reason for the audit log. */
export const ChargeActs = ({ chargeId, isManual, email }: ChargeActsProps) => (
  <div className={styles.acts}>
    <IfAllowed action="charge_under_review.search">
      <SearchCharge chargeId={chargeId} email={email} />
    </IfAllowed>
    <IfAllowed action="charge_under_review.settle">
      <SettleCharge chargeId={chargeId} isManual={isManual} email={email} />
    </IfAllowed>
  </div>
);

const outcomes = {
  nothing: "The processor has no such payment. The charge is unchanged, and its amount stays held.",
  contradiction:
    "The processor has a payment with another amount or currency. The charge is unchanged, and its amount stays held.",
  no_answer: "The processor didn’t answer. Try again later. The amount stays held.",
} as const;

const SearchCharge = ({ chargeId, email }: Omit<ChargeActsProps, "isManual">) => {
  const stepUp = useStepUp(email, "Confirm and continue");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const [found, setFound] = useState<keyof typeof outcomes | null>(null);
  const openAgain = () => {
    setFound(null);
    open();
  };
  const search = (reason: string) =>
    run(async () => {
      const result = await trpc.operator.searchCharge.mutate({ chargeId, reason });
      setFound(result.found === "settled" ? null : result.found);
    });
  return (
    <>
      <Button onClick={openAgain}>Search again</Button>
      {found ? (
        <div className={styles.live}>
          <Notice tone="note" isLive>
            {outcomes[found]}
          </Notice>
        </div>
      ) : null}
      <ReasonDialog {...dialog} stepUp={stepUp.dialog} title="Search again?" confirmLabel="Search" onConfirm={search}>
        We ask the processor again. If the processor knows the outcome, the charge is settled immediately.
      </ReasonDialog>
    </>
  );
};

type FindingKind = "succeeded" | "declined" | "nothing";

const effectOf = (kind: FindingKind, isManual: boolean): string => {
  if (kind === "succeeded" && isManual) return "The amount stays held, and the merchant can capture it.";
  return effects[kind];
};

const effects: Readonly<Record<FindingKind, string>> = {
  succeeded: "The payer has paid. The amount counts as used, and the merchant is notified that the charge succeeded.",
  declined: "No money moved. The amount is released, and the merchant is notified that the charge was declined.",
  nothing:
    "No money moved. The amount is released, and the merchant is notified that it can retry safely. Make sure that the request can no longer reach the processor.",
};

const SettleCharge = ({ chargeId, isManual, email }: ChargeActsProps) => {
  const stepUp = useStepUp(email, "Confirm and continue");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const [kind, setKind] = useState<FindingKind>("succeeded");
  const settle = (form: FormData) => {
    const finding = kind === "nothing" ? { kind } : { kind, processorRef: textField(form, "processorRef") };
    return run(() => trpc.operator.settleCharge.mutate({ chargeId, reason: textField(form, "reason"), finding }));
  };
  return (
    <>
      <Button variant="primary" onClick={open}>
        Settle charge
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title="Settle this charge?"
        confirmLabel="Settle charge"
        fields={
          <>
            <FindingFields kind={kind} setKind={setKind} isManual={isManual} />
            <ReasonField />
            <p className="small">{effectOf(kind, isManual)} This can’t be undone.</p>
          </>
        }
        onConfirm={settle}
      />
    </>
  );
};

type FindingFieldsProps = { kind: FindingKind; setKind: (kind: FindingKind) => void; isManual: boolean };

const FindingFields = ({ kind, setKind, isManual }: FindingFieldsProps) => (
  <>
    <Select
      label="What you found at the processor"
      name="kind"
      value={kind}
      onChange={(event) => setKind(event.currentTarget.value as FindingKind)}
    >
      <option value="succeeded">{isManual ? "An authorised payment" : "A successful payment"}</option>
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
