import { type ComponentProps, type CSSProperties, useId } from "react";
import styles from "./field.module.css";
import { describedBy, FieldFrame, type FieldTexts } from "./field-frame.tsx";

/** A labelled input. Screen readers read its hint and error with it. It works in a native form, without JavaScript. */
export const Field = ({ label, hint, error, ...input }: FieldTexts & Omit<ComponentProps<"input">, "className">) => {
  const id = useId();
  const inputId = input.id ?? id;
  return (
    <FieldFrame id={id} controlId={inputId} label={label} hint={hint} error={error}>
      <input {...input} id={inputId} className={styles.control} {...describedBy(id, { hint, error })} />
    </FieldFrame>
  );
};

/** A labelled multi-line input. */
export const TextArea = ({
  label,
  hint,
  error,
  rows = 4,
  ...area
}: FieldTexts & Omit<ComponentProps<"textarea">, "className">) => {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <textarea
        {...area}
        rows={rows}
        style={{ "--rows": rows } as CSSProperties}
        id={id}
        className={`${styles.control} ${styles.area}`}
        {...describedBy(id, { hint, error })}
      />
    </FieldFrame>
  );
};

export const Select = ({
  label,
  hint,
  error,
  children,
  ...select
}: FieldTexts & Omit<ComponentProps<"select">, "className">) => {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <select {...select} id={id} className={styles.control} {...describedBy(id, { hint, error })}>
        {children}
      </select>
    </FieldFrame>
  );
};
