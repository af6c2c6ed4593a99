import { Link } from "../../ui/link.tsx";
import styles from "./list-tabs.module.css";

type Tab = { href: string; label: string };

/** Links between the views of a list. @param current the `href` of the view that is shown */
export const ListTabs = ({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) => (
  <nav className={styles.tabs} aria-label={label}>
    {tabs.map((tab) => (
      <Link key={tab.href} href={tab.href} aria-current={tab.href === current ? "page" : undefined}>
        {tab.label}
      </Link>
    ))}
  </nav>
);
