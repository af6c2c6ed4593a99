"use client";
import { CopyButton } from "./copy-button.tsx";
import styles from "./copy-text.module.css";
import { useCopy } from "./use-copy.ts";

/** A text with a button that copies it. @param label what it is, for example `secret`. */
export const CopyText = ({ label, text }: { label: string; text: string }) => {
  const copying = useCopy(text);
  return (
    <div className={styles.copy}>
      <code className={styles.text}>{text}</code>
      <CopyButton label={label} {...copying} />
      <span className="visuallyHidden" role="status">
        {copying.isCopied ? `Copied the ${label}.` : ""}
      </span>
    </div>
  );
};
