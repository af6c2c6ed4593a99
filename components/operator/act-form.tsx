"use client";
import type { ReactNode } from "react";
import { sent } from "../portal/acts/use-act.tsx";
import styles from "../portal/portal.module.css";
import { SubmitButton } from "../ui/button.tsx";

/** What an operator writes down on a page: the fields, what went wrong, the button that sends them. */
export const ActForm = ({
  isBusy,
  notice,
  verb,
  beside,
  act,
  children,
}: {
  isBusy: boolean;
  notice: ReactNode;
  verb: string;
  /** the other way out of it */
  beside: ReactNode;
  act: (form: FormData) => Promise<void>;
  children: ReactNode;
}) => (
  <form className={`card ${styles.form} ${styles.box}`} onSubmit={(event) => act(sent(event))}>
    {children}
    {notice}
    <div className={styles.acts}>
      <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
        {verb}
      </SubmitButton>
      {beside}
    </div>
  </form>
);
