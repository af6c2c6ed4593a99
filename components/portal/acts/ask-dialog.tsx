"use client";
import type { ReactNode } from "react";
import { Button, type ButtonLook, SubmitButton } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import styles from "../portal.module.css";
import { sent } from "./use-act.tsx";

export type AskDialogProps = {
  isOpen: boolean;
  close: () => void;
  title: string;
  verb: string;
  /** the button that does nothing */
  leave: string;
  variant?: ButtonLook["variant"];
  isBusy: boolean;
  notice: ReactNode;
  /** asks who is there, for acts that want a recent proof: `useStepUp().dialog` */
  stepUp?: ReactNode;
  /** what it does */
  children: ReactNode;
};

/** Asks before an act, says what it does, and takes the words that go with it. */
export const AskDialog = ({
  isOpen,
  close,
  title,
  verb,
  leave,
  variant = "primary",
  isBusy,
  notice,
  stepUp,
  field,
  act,
  children,
}: AskDialogProps & { field: ReactNode; act: (form: FormData) => Promise<void> }) => (
  <Dialog isOpen={isOpen} onOpenChange={(open) => (open ? null : close())} title={title}>
    <form className={styles.form} onSubmit={(event) => act(sent(event))}>
      <p className="small">{children}</p>
      {field}
      {notice}
      <DialogActions>
        <Button onClick={close}>{leave}</Button>
        <SubmitButton variant={variant} aria-busy={isBusy || undefined}>
          {verb}
        </SubmitButton>
      </DialogActions>
    </form>
    {isOpen ? stepUp : null}
  </Dialog>
);
