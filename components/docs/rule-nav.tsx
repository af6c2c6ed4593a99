import styles from "./rule-nav.module.css";
import { SideNav } from "./side-nav.tsx";

export const RuleNav = ({ chapters }: { chapters: readonly { id: string; title: string }[] }) => (
  <SideNav label="Chapters" summary="All chapters">
    <ul className={styles.chapters}>
      {chapters.map(({ id, title }) => (
        <li key={id}>
          <a href={`#${id}`}>{title}</a>
        </li>
      ))}
    </ul>
  </SideNav>
);
