import { Children, type ReactNode } from "react";
import styles from "./whole-words.module.css";

/** `e-mail`, and numbers of invoices and credit notes. Browsers may break a line after a hyphen. */
const whole = /([Ee]-[Mm]ail|\b(?:[A-Z]+-)+\d{4}-\d+)/;

/**
 * Text in which `e-mail` and the numbers of invoices and credit notes stay on one line. Texts inside child elements
 * aren't changed. A text with such a word is wrapped in one element, so that it is a single item of a flex container.
 */
export const WholeWords = ({ children }: { children: ReactNode }): ReactNode => {
  const nodes = Children.toArray(children);
  if (!nodes.some((node) => typeof node === "string" && whole.test(node))) return children;
  // biome-ignore lint/suspicious/noArrayIndexKey: the texts keep their order
  return runsOf(nodes).map((run, index) => (typeof run === "string" ? <Marked key={index} text={run} /> : run));
};

/** Joins adjacent texts. */
const runsOf = (nodes: ReturnType<typeof Children.toArray>): typeof nodes => {
  const runs: typeof nodes = [];
  for (const node of nodes) {
    const last = runs.at(-1);
    const text = typeof node === "number" ? String(node) : node;
    if (typeof text === "string" && typeof last === "string") runs[runs.length - 1] = last + text;
    else runs.push(text);
  }
  return runs;
};

const Marked = ({ text }: { text: string }): ReactNode => {
  const parts = text.split(whole);
  if (parts.length === 1) return text;
  return (
    <span>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
          <span key={index} className={styles.word}>
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </span>
  );
};
