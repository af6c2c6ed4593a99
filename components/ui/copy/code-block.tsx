"use client";
import styles from "./code-block.module.css";
import { CopyButton } from "./copy-button.tsx";
import { useCopy } from "./use-copy.ts";

type Props = {
  title: string;
  code: string;
  /** names the code on a page with several blocks of this title */
  label?: string;
};

/** Code with its file name, and a button that copies it. */
export const CodeBlock = ({ title, code, label = title }: Props) => {
  const copying = useCopy(code);
  return (
    <figure className={styles.code}>
      <figcaption className={styles.head}>
        <code>{title}</code>
        <CopyButton label={label} {...copying} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also with the keyboard */}
      <section tabIndex={0} aria-label={`Code of ${label}`} className={styles.lines}>
        <pre>{code}</pre>
      </section>
      <span className="visuallyHidden" role="status">
        {copying.isCopied ? `Copied ${label}.` : ""}
      </span>
    </figure>
  );
};
