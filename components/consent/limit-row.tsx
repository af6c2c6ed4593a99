"use client";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Icon } from "../ui/icon.tsx";
import styles from "./limit-row.module.css";

/** A row that opens to show a form field. Without script it is a native disclosure around a native field. */
export const EditableRow = ({
  label,
  note,
  value,
  verb,
  isOpen,
  children,
}: {
  label: string;
  note: string;
  value: ReactNode;
  /** the label of the control that opens the row, for example `Lower` */
  verb: string;
  isOpen: boolean;
  children: ReactNode;
}) => {
  const t = useTranslations("consent-form");
  return (
    <details className={styles.row} open={isOpen || undefined}>
      <summary className={styles.summary}>
        <RowLabel label={label} note={note} />
        {value}
        <span className={styles.edit}>
          <span className={styles.whenClosed}>{verb}</span>
          <span className={styles.whenOpen}>{t("close")}</span>
        </span>
      </summary>
      <div className={styles.panel}>{children}</div>
    </details>
  );
};

/** A row without a form field. */
export const FixedRow = ({ label, note, value }: { label: string; note: string; value: ReactNode }) => (
  <div className={`${styles.row} ${styles.summary}`}>
    <RowLabel label={label} note={note} />
    {value}
    <span />
  </div>
);

const RowLabel = ({ label, note }: { label: string; note: string }) => (
  <span className={styles.label}>
    {label}
    {note ? <span className={styles.note}>{note}</span> : null}
  </span>
);

/**
 * The new value with the current value next to it. @param current null for a new mandate, `same` if the value doesn't
 * change.
 */
export const RowValue = ({ next, current }: { next: ReactNode; current: string | null }) => {
  const t = useTranslations("consent-form");
  return (
    <span className={styles.figure}>
      {current === null ? null : current === "same" ? (
        <span className={styles.same}>{t("unchanged")}</span>
      ) : (
        <span className={styles.before}>
          <span className="visuallyHidden">{t("beforeValue")} </span>
          {current}
          <Icon name="right" size={16} />
          <span className="visuallyHidden">{t("thenValue")} </span>
        </span>
      )}
      {next}
    </span>
  );
};
