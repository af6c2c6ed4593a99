"use client";
import { useState } from "react";
import { Button } from "../button.tsx";
import styles from "./copy-text.module.css";

/** A text with a button that copies it. @param label what it is, for example `secret`. */
export const CopyText = ({ label, text }: { label: string; text: string }) => {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  return (
    <div className={styles.copy}>
      <code className={styles.text}>{text}</code>
      <Button size="small" aria-label={`Copy ${label}`} onClick={copy}>
        {isCopied ? "Copied" : "Copy"}
      </Button>
      <span className="visuallyHidden" role="status">
        {isCopied ? `Copied the ${label}.` : ""}
      </span>
    </div>
  );
};
