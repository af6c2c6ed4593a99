"use client";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import styles from "./limit-row.module.css";
import { plainSentence, type Sentence } from "./limit-sentence.ts";

type RowTexts = {
  sentence: Sentence;
  /** `lowered`: the payer lowered the limit. `open`: there is no limit. */
  tone: "lowered" | "open" | null;
  note: string;
  /** the version in force; null for a new mandate */
  current: Sentence | null;
};

/** A row that opens to show a form field. Without script it is a native disclosure around a native field. */
export const EditableRow = ({
  verb,
  isOpen,
  children,
  ...texts
}: RowTexts & {
  /** the label of the control that opens the row, for example `Lower` */
  verb: string;
  isOpen: boolean;
  children: ReactNode;
}) => {
  const t = useTranslations("consent-form");
  return (
    <details className={styles.row} open={isOpen || undefined}>
      <summary className={styles.summary}>
        <RowText {...texts} />
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
export const FixedRow = (texts: RowTexts) => (
  <div className={`${styles.row} ${styles.summary}`}>
    <RowText {...texts} />
  </div>
);

/** The sentence, with a note and the version in force below it. */
const RowText = ({ sentence: { before, value, after }, tone, note, current }: RowTexts) => {
  const t = useTranslations("consent-form");
  const isSame = current !== null && plainSentence(current) === `${before}${value}${after}`;
  return (
    <span className={styles.text}>
      <span className={styles.sentence}>
        {before}
        <b className={tone === null ? undefined : styles[tone]}>{value}</b>
        {after}
      </span>
      {note ? <span className={styles.note}>{note}</span> : null}
      {current === null ? null : (
        <span className={styles.note}>{isSame ? t("unchanged") : t("current", { text: plainSentence(current) })}</span>
      )}
    </span>
  );
};
