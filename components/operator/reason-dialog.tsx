"use client";
import type { ReactNode } from "react";
import { Button, type ButtonLook, SubmitButton } from "../ui/button.tsx";
import { Dialog, DialogActs } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import styles from "./operator.module.css";
import { sent, textIn } from "./use-act.tsx";

/** Asks before an act, says what it does, and takes the reason that the audit log keeps. */
export const ReasonDialog = ({
  isOpen,
  close,
  title,
  verb,
  variant = "primary",
  isBusy,
  notice,
  act,
  stepUp,
  children,
}: {
  isOpen: boolean;
  close: () => void;
  title: string;
  verb: string;
  variant?: ButtonLook["variant"];
  isBusy: boolean;
  notice: ReactNode;
  act: (reason: string) => Promise<void>;
  /** asks who is there, for acts that want a recent proof: `useStepUp().dialog` */
  stepUp?: ReactNode;
  /** what it does */
  children: ReactNode;
}) => (
  <Dialog isOpen={isOpen} onOpenChange={(open) => (open ? null : close())} title={title}>
    <form className={styles.form} onSubmit={(event) => act(textIn(sent(event), "reason"))}>
      <p className="small">{children}</p>
      <Field
        label="Why"
        name="reason"
        required
        minLength={3}
        maxLength={500}
        hint="Kept in the audit log with your name."
      />
      {notice}
      <DialogActs>
        <Button onClick={close}>Leave it</Button>
        <SubmitButton variant={variant} aria-busy={isBusy || undefined}>
          {verb}
        </SubmitButton>
      </DialogActs>
    </form>
    {isOpen ? stepUp : null}
  </Dialog>
);
