import { listAddress } from "../../portal/lists/list-address.ts";
import { Link } from "../../ui/link.tsx";
import styles from "./getting-started.module.css";
import { type Language, languages } from "./languages.ts";

/** Chooses the language of all steps. The language is in the address, so that a shared link shows the same code. */
export const LanguageTabs = ({ current, app }: { current: Language; app: string | undefined }) => (
  <nav className={styles.tabs} aria-label="Language">
    {Object.entries(languages).map(([language, { label }]) => (
      <Link
        key={language}
        href={listAddress("/merchant/getting-started", { app, language })}
        scroll={false}
        aria-current={language === current ? "true" : undefined}
      >
        {label}
      </Link>
    ))}
  </nav>
);
