import { formatShortDate } from "../format/dates.ts";
import { Icon } from "../ui/icon.tsx";
import styles from "./sandbox-clock.module.css";

/** Above every page of a sandbox whose clock is ahead: else its dates would look wrong. */
export const SandboxClock = ({ now }: { now: Date }) => (
  <aside className={styles.clock} aria-label="Sandbox clock">
    <Icon name="clock" />
    <span>{`Sandbox clock: ${formatShortDate(now, { locale: "en-GB", timeZone: "UTC" })}`}</span>
  </aside>
);
