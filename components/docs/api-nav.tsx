import styles from "./api-nav.module.css";
import type { Group } from "./api-reference.ts";
import { SideNav } from "./side-nav.tsx";

/** Every operation by its group. */
export const ApiNav = ({ groups }: { groups: readonly Group[] }) => (
  <SideNav label="Operations" summary="All operations">
    <Groups groups={groups} />
  </SideNav>
);

/** A long path breaks between its segments. */
const Breakable = ({ path }: { path: string }) => {
  const [first = "", ...rest] = path.split(/(?<=[/_-])(?=.)/);
  return (
    <>
      {first}
      {rest.length > 0 ? (
        <>
          <wbr />
          <Breakable path={rest.join("")} />
        </>
      ) : null}
    </>
  );
};

const Groups = ({ groups }: { groups: readonly Group[] }) => (
  <ul className={styles.groups}>
    {groups.map(({ title, operations }) => (
      <li key={title}>
        <p className={styles.title}>{title}</p>
        <ul>
          {operations.map(({ id, method, path }) => (
            <li key={id}>
              <a href={`#${id}`}>
                <span className={styles.method}>{method}</span> <Breakable path={path} />
              </a>
            </li>
          ))}
        </ul>
      </li>
    ))}
    <li>
      <a href="#rate-limits">Rate limits</a>
    </li>
  </ul>
);
