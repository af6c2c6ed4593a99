"use client";
import { Field } from "../../ui/field/field.tsx";
import { ConfirmDialog, type ConfirmDialogProps } from "./confirm-dialog.tsx";
import { textField } from "./use-act.tsx";

type Props = ConfirmDialogProps & {
  reasonLabel?: string;
  onConfirm: (reason: string) => Promise<void>;
};

/** Asks an operator to confirm an action and to enter a reason for the audit log. */
export const ReasonDialog = ({ reasonLabel, onConfirm, ...dialog }: Props) => (
  <ConfirmDialog
    {...dialog}
    fields={<ReasonField label={reasonLabel} />}
    onConfirm={(form) => onConfirm(textField(form, "reason"))}
  />
);

export const ReasonField = ({ label = "Reason" }: { label?: string | undefined }) => (
  <Field
    label={label}
    name="reason"
    required
    minLength={3}
    maxLength={500}
    hint="Recorded in the audit log with your account ID."
  />
);
