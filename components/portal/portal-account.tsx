import { translator } from "#server/kernel/messages/translator.ts";
import { themeLabels } from "../layout/theme-labels.ts";
import { type Theme, ThemeToggle } from "../layout/theme-toggle.tsx";
import { SubmitButton } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import type { PortalLink } from "./portal-nav.tsx";
import styles from "./portal-shell.module.css";

/** Shown below the navigation: the account's other portals, sign-out and the theme. */
export const PortalAccount = ({
  otherPortals,
  email,
  theme,
  locale,
}: {
  otherPortals: readonly PortalLink[];
  email: string | null;
  theme: Theme;
  locale: string;
}) => (
  <div className={styles.account}>
    {otherPortals.map(({ href, label }) => (
      <Link key={href} href={href} className={styles.otherPortal}>
        {label}
      </Link>
    ))}
    {email ? (
      <span className={styles.email} title={email}>
        {email}
      </span>
    ) : null}
    <div className={styles.controls}>
      {email ? (
        <form method="post" action="/sign-out">
          <SubmitButton size="small">{translator(locale, "frame")("signOut")}</SubmitButton>
        </form>
      ) : null}
      <ThemeToggle initial={theme} labels={themeLabels(locale)} />
    </div>
  </div>
);
