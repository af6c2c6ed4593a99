"use client";
import type { ReactNode } from "react";
import { submittedForm } from "../portal/acts/use-act.tsx";
import styles from "../portal/portal.module.css";
import { SubmitButton } from "../ui/button.tsx";

/** A form in a page: its fields, the problem, the submit button and a second button. */
export const OperatorForm = ({
  isBusy,
  notice,
  submitLabel,
  secondButton,
  onSubmit,
  children,
}: {
  isBusy: boolean;
  notice: ReactNode;
  submitLabel: string;
  secondButton: ReactNode;
  onSubmit: (form: FormData) => Promise<void>;
  children: ReactNode;
}) => (
  <form className={`card ${styles.form} ${styles.box}`} onSubmit={(event) => onSubmit(submittedForm(event))}>
    {children}
    {notice}
    <div className={styles.acts}>
      <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
        {submitLabel}
      </SubmitButton>
      {secondButton}
    </div>
  </form>
);
