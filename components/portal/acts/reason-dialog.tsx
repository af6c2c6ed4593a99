"use client";
import { Field } from "../../ui/field.tsx";
import { AskDialog, type AskDialogProps } from "./ask-dialog.tsx";
import { textIn } from "./use-act.tsx";

type Props = Omit<AskDialogProps, "leave"> & {
  label?: string;
  leave?: string;
  act: (reason: string) => Promise<void>;
};

/** Asks before an act, and takes the reason that the audit log keeps. */
export const ReasonDialog = ({ label = "Why", leave = "Leave it", act, ...ask }: Props) => (
  <AskDialog {...ask} leave={leave} field={<ReasonField label={label} />} act={(form) => act(textIn(form, "reason"))} />
);

export const ReasonField = ({ label = "Why" }: { label?: string }) => (
  <Field
    label={label}
    name="reason"
    required
    minLength={3}
    maxLength={500}
    hint="Kept in the audit log with your name."
  />
);
