import { textLocaleOf } from "#server/kernel/messages/languages.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import { formatShortDate } from "../format/dates.ts";
import { Icon } from "../ui/icon.tsx";
import styles from "./sandbox-clock.module.css";

/** Shown on every page while the sandbox clock is ahead, because dates would look wrong otherwise. */
export const SandboxClock = ({ now, locale }: { now: Date; locale: string }) => {
  const t = translator(locale, "frame");
  const date = formatShortDate(now, { locale: textLocaleOf(locale), timeZone: "UTC" });
  return (
    <aside className={styles.clock} aria-label={t("sandboxClock")}>
      <Icon name="clock" />
      <span>{t("sandboxClockNow", { date })}</span>
    </aside>
  );
};
