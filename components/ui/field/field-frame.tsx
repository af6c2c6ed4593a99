import type { ReactNode } from "react";
import { WholeWords } from "../whole-words.tsx";
import styles from "./field.module.css";

export type FieldTexts = { label: ReactNode; hint?: ReactNode; error?: ReactNode };

/** Attributes that connect a control with its hint and error for screen readers. @param id of the control's frame */
export const describedBy = (id: string, { hint, error }: Omit<FieldTexts, "label">) => ({
  "aria-invalid": error ? true : undefined,
  "aria-describedby": [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(" ") || undefined,
});

/** The label above a control, and its hint and error below. @param controlId default: the frame's id */
export const FieldFrame = ({
  id,
  controlId = id,
  label,
  hint,
  error,
  className,
  children,
}: FieldTexts & { id: string; controlId?: string; className?: string | undefined; children: ReactNode }) => (
  <div className={className ? `${styles.field} ${className}` : styles.field}>
    <label className={styles.label} htmlFor={controlId}>
      <WholeWords>{label}</WholeWords>
    </label>
    {children}
    {hint ? (
      <p id={`${id}-hint`} className={styles.hint}>
        <WholeWords>{hint}</WholeWords>
      </p>
    ) : null}
    {error ? (
      <p id={`${id}-error`} className={styles.error} role="alert">
        <WholeWords>{error}</WholeWords>
      </p>
    ) : null}
  </div>
);
