import type { Group } from "./api/api-reference.ts";
import { areaId } from "./api/places.ts";
import styles from "./docs-nav.module.css";
import { guides } from "./guides.ts";
import { Prose } from "./prose.tsx";
import { SearchForm } from "./search/search-form.tsx";
import { SideNav } from "./side-nav.tsx";

type Props = {
  groups: readonly Group[];
  /** address of the page that shows the navigation */
  current: string;
};

/** The documentation's pages. Only the operations of the current area are listed, so that every page stays small. */
export const DocsNav = ({ groups, current }: Props) => (
  <SideNav label="Documentation" summary="All pages">
    <div className={styles.nav}>
      {current === "/docs" ? null : <SearchForm />}
      <ul>
        {guides.map(({ href, title }) => (
          <li key={href}>
            <NavLink href={href} title={title} current={current} />
          </li>
        ))}
      </ul>
      <div>
        <p className={styles.title}>Operations</p>
        <ul>
          {groups.map((group) => (
            <li key={group.title}>
              <NavLink href={`/docs#${areaId(group.title)}`} title={group.title} current={current} />
              <CurrentArea group={group} current={current} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  </SideNav>
);

const NavLink = ({ href, title, current }: { href: string; title: string; current: string }) => (
  <a href={href} aria-current={href === current ? "page" : isPartOf(current, href) ? "true" : undefined}>
    <Prose text={title} />
  </a>
);

/** The chapters of a guide have no links of their own here. */
const isPartOf = (current: string, href: string) => href !== "/docs" && current.startsWith(`${href}/`);

const CurrentArea = ({ group: { operations }, current }: { group: Group; current: string }) =>
  operations.some(({ href }) => href === current) ? (
    <ul>
      {operations.map(({ href, summary }) => (
        <li key={href}>
          <NavLink href={href} title={summary} current={current} />
        </li>
      ))}
    </ul>
  ) : null;
