import type { ComponentProps, ReactNode } from "react";
import { ButtonLink, SubmitButton } from "../../ui/button.tsx";
import styles from "../portal.module.css";

type ActFormProps = Omit<ComponentProps<"form">, "className"> & {
  isBusy: boolean;
  submitLabel: ReactNode;
  cancelHref: string;
  /** whether the submit button warns of a risky action */
  isDangerous?: boolean;
};

/** A form on a separate page, not in a dialog, with its buttons. */
export const ActForm = ({ isBusy, submitLabel, cancelHref, isDangerous = false, children, ...form }: ActFormProps) => (
  <form {...form} className={`card ${styles.form} ${styles.box}`}>
    {children}
    <div className={styles.acts}>
      <SubmitButton variant={isDangerous ? "dangerSolid" : "primary"} aria-busy={isBusy || undefined}>
        {submitLabel}
      </SubmitButton>
      <ButtonLink href={cancelHref} variant="quiet">
        Cancel
      </ButtonLink>
    </div>
  </form>
);
