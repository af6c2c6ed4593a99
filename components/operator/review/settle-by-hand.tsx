"use client";
import { useState } from "react";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { ReasonField } from "../../portal/acts/reason-dialog.tsx";
import { textField } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/field/field.tsx";

/** What an operator found at the processor. */
type Finding = { kind: "succeeded" | "declined"; processorRef: string } | { kind: "nothing" };
type FindingKind = Finding["kind"];

type Props = {
  noun: "charge" | "payment";
  email: string;
  /** the label of the finding that the payment succeeded */
  succeeded?: string;
  /** a text about the effect of each finding */
  effects: Readonly<Record<FindingKind, string>>;
  settle: (settlement: { reason: string; finding: Finding }) => Promise<unknown>;
};

/** Settles an unknown outcome with what the operator found, and a reason for the audit log. */
export const SettleByHand = ({ noun, email, succeeded = "A successful payment", effects, settle }: Props) => {
  const stepUp = useStepUp(email, "Confirm and continue");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const [kind, setKind] = useState<FindingKind>("succeeded");
  const confirm = (form: FormData) => {
    const finding = kind === "nothing" ? { kind } : { kind, processorRef: textField(form, "processorRef") };
    return run(() => settle({ reason: textField(form, "reason"), finding }));
  };
  return (
    <>
      <Button variant="primary" onClick={open}>
        Settle {noun}
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={`Settle this ${noun}?`}
        confirmLabel={`Settle ${noun}`}
        fields={
          <>
            <FindingFields kind={kind} setKind={setKind} succeeded={succeeded} />
            <ReasonField />
            <p className="small">{effects[kind]} This can’t be undone.</p>
          </>
        }
        onConfirm={confirm}
      />
    </>
  );
};

type FindingFieldsProps = { kind: FindingKind; setKind: (kind: FindingKind) => void; succeeded: string };

const FindingFields = ({ kind, setKind, succeeded }: FindingFieldsProps) => (
  <>
    <Select
      label="What you found at the processor"
      name="kind"
      value={kind}
      onChange={(event) => setKind(event.currentTarget.value as FindingKind)}
    >
      <option value="succeeded">{succeeded}</option>
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
