import styles from "./operation.module.css";

/** An example of a request, a response or an event. Long lines scroll, also with the keyboard. */
export const Example = ({ label, children }: { label: string; children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also with the keyboard
  <section tabIndex={0} aria-label={label} className={styles.example}>
    <pre>{children}</pre>
  </section>
);
