"use client";
import { Button } from "../button.tsx";
import styles from "./code-block.module.css";
import { useCopy } from "./use-copy.ts";

type Props = {
  title: string;
  code: string;
  /** names the code on a page with several blocks of this title */
  label?: string;
};

/** Code with its file name, and a button that copies it. */
export const CodeBlock = ({ title, code, label = title }: Props) => {
  const { isCopied, copy } = useCopy(code);
  const verb = isCopied ? "Copied" : "Copy";
  return (
    <figure className={styles.code}>
      <figcaption className={styles.head}>
        <code>{title}</code>
        <Button size="small" aria-label={`${verb} ${label}`} onClick={copy}>
          {verb}
        </Button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also with the keyboard */}
      <section tabIndex={0} aria-label={`Code of ${label}`} className={styles.lines}>
        <pre>{code}</pre>
      </section>
      <span className="visuallyHidden" role="status">
        {isCopied ? `Copied ${label}.` : ""}
      </span>
    </figure>
  );
};
