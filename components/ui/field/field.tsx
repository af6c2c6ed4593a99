import { type ComponentProps, type ReactNode, useId } from "react";
import styles from "./field.module.css";

/** A labelled input. Screen readers read its hint and error with it. It works in a native form, without script. */
export const Field = ({
  label,
  hint,
  error,
  ...input
}: { label: ReactNode; hint?: ReactNode; error?: ReactNode } & Omit<ComponentProps<"input">, "className">) => {
  const id = useId();
  const inputId = input.id ?? id;
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(" ");
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={inputId}>
        {label}
      </label>
      <input
        {...input}
        id={inputId}
        className={styles.control}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
      />
      {hint ? (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      ) : null}
    </div>
  );
};

/** A labelled multi-line input. */
export const TextArea = ({
  label,
  hint,
  error,
  ...area
}: { label: ReactNode; hint?: ReactNode; error?: ReactNode } & Omit<ComponentProps<"textarea">, "className">) => {
  const id = useId();
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(" ");
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <textarea
        rows={4}
        {...area}
        id={id}
        className={`${styles.control} ${styles.area}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
      />
      {hint ? (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      ) : null}
    </div>
  );
};

export const Select = ({
  label,
  error,
  children,
  ...select
}: { label: ReactNode; error?: ReactNode } & Omit<ComponentProps<"select">, "className">) => {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select
        {...select}
        id={id}
        className={styles.control}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
      >
        {children}
      </select>
      {error ? (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      ) : null}
    </div>
  );
};
