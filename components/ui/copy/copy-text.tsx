"use client";
import { Button } from "../button.tsx";
import styles from "./copy-text.module.css";
import { useCopy } from "./use-copy.ts";

/** A text with a button that copies it. @param label what it is, for example `secret`. */
export const CopyText = ({ label, text }: { label: string; text: string }) => {
  const { isCopied, copy } = useCopy(text);
  const verb = isCopied ? "Copied" : "Copy";
  return (
    <div className={styles.copy}>
      <code className={styles.text}>{text}</code>
      <Button size="small" aria-label={`${verb} ${label}`} onClick={copy}>
        {verb}
      </Button>
      <span className="visuallyHidden" role="status">
        {isCopied ? `Copied the ${label}.` : ""}
      </span>
    </div>
  );
};
