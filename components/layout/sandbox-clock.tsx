import { formatShortDate } from "../format/dates.ts";
import { Icon } from "../ui/icon.tsx";
import styles from "./sandbox-clock.module.css";

/** Shown on every page while the sandbox clock is ahead, because dates would look wrong otherwise. */
export const SandboxClock = ({ now }: { now: Date }) => (
  <aside className={styles.clock} aria-label="Sandbox clock">
    <Icon name="clock" />
    <span>{`Sandbox clock: ${formatShortDate(now, { locale: "en-GB", timeZone: "UTC" })}`}</span>
  </aside>
);
