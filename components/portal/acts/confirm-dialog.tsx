"use client";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button, type ButtonLook, SubmitButton } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog/dialog.tsx";
import { WholeWords } from "../../ui/whole-words.tsx";
import styles from "../portal.module.css";
import { submittedForm } from "./use-act.tsx";

export type ConfirmDialogProps = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  confirmLabel: string;
  cancelLabel?: string;
  variant?: ButtonLook["variant"];
  isBusy: boolean;
  notice: ReactNode;
  /** The dialog that asks for a recent authentication: `useStepUp().dialog`. */
  stepUp?: ReactNode;
  /** What the action does, one effect per line. */
  effects?: readonly string[];
  /** What the action does, as a paragraph. */
  children?: ReactNode;
};

/** Asks the person to confirm an action. Shows the effects of the action and the fields that it needs. */
export const ConfirmDialog = ({
  isOpen,
  onClose,
  title,
  confirmLabel,
  cancelLabel,
  variant = "primary",
  isBusy,
  notice,
  stepUp,
  effects,
  fields,
  onConfirm,
  children,
}: ConfirmDialogProps & { fields?: ReactNode; onConfirm: (form: FormData) => Promise<void> }) => {
  const t = useTranslations("acts");
  return (
    <Dialog isOpen={isOpen} onOpenChange={(open) => (open ? null : onClose())} title={title}>
      <form className={styles.form} onSubmit={(event) => onConfirm(submittedForm(event))}>
        {effects ? <Effects effects={effects} /> : null}
        {children ? (
          <p className="small">
            <WholeWords>{children}</WholeWords>
          </p>
        ) : null}
        {fields}
        {notice}
        <DialogActions>
          <Button onClick={onClose}>{cancelLabel ?? t("cancel")}</Button>
          <SubmitButton variant={variant} aria-busy={isBusy || undefined}>
            {confirmLabel}
          </SubmitButton>
        </DialogActions>
      </form>
      {isOpen ? stepUp : null}
    </Dialog>
  );
};

/** The effects of an action, one per line. */
export const Effects = ({ effects }: { effects: readonly string[] }) => (
  <ul className={styles.effects}>
    {effects.map((effect) => (
      <li key={effect}>
        <WholeWords>{effect}</WholeWords>
      </li>
    ))}
  </ul>
);
