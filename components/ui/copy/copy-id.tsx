"use client";
import { Icon } from "../icon.tsx";
import styles from "./copy-text.module.css";
import { useCopy } from "./use-copy.ts";

/** An id within a line of text. A click copies the id. @param label what the id is, for example `merchant_id`. */
export const CopyId = ({ label, text }: { label: string; text: string }) => {
  const { isCopied, copy } = useCopy(text);
  return (
    <>
      <button type="button" className={styles.id} aria-label={`Copy ${label} ${text}`} onClick={copy}>
        <code>{text}</code>
        <Icon name={isCopied ? "check" : "copy"} size={14} />
      </button>
      <span className="visuallyHidden" role="status">
        {isCopied ? `Copied the ${label}.` : ""}
      </span>
    </>
  );
};
