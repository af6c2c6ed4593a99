import { EmptyState } from "../../ui/empty-state.tsx";
import styles from "../webhooks/webhooks.module.css";
import { readableBody } from "./readable-body.ts";

/** A body, indented if it is JSON. */
export const LogBody = ({ name, body }: { name: string; body: string | null }) =>
  body === null ? (
    <EmptyState title="No text">The {name.toLowerCase()} has no body, or its body isn’t text.</EmptyState>
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide body scrolls, also with the keyboard
    <section tabIndex={0} aria-label={`Body of the ${name.toLowerCase()}`}>
      <pre className={styles.wire}>{readableBody(body)}</pre>
    </section>
  );
