import { Breakable } from "../format/breakable.tsx";
import { WholeWords } from "../ui/whole-words.tsx";
import type { Group } from "./api/api-reference.ts";
import { areaId } from "./api/places.ts";
import { guides } from "./guides.ts";
import styles from "./overview-lists.module.css";
import { Prose } from "./prose.tsx";

/** The guides and all operations. The ids are the anchors of the former single page (moved-anchors.tsx). */
export const OverviewLists = ({ groups }: { groups: readonly Group[] }) => (
  <div className={styles.lists}>
    <section aria-labelledby="guides">
      <h2 id="guides">Guides</h2>
      <ul className={styles.guides}>
        {guides
          .filter(({ href }) => href !== "/docs")
          .map(({ href, title, text }) => (
            <li key={href} {...(href === "/docs/rate-limits" ? { id: "rate-limits", "data-moved": "" } : {})}>
              <a href={href}>
                <WholeWords>{title}</WholeWords>
              </a>
              <p>{text}</p>
            </li>
          ))}
      </ul>
    </section>
    {groups.map(({ title, operations }) => (
      <section key={title} aria-labelledby={areaId(title)}>
        <h2 id={areaId(title)}>{title}</h2>
        <ul className={styles.operations}>
          {operations.map(({ id, href, method, path, summary }) => (
            <li key={id} id={id} data-moved="">
              <a href={href}>
                <Prose text={summary} />
              </a>
              <span className={styles.call}>
                <span className={styles.method}>{method}</span> <Breakable path={path} />
              </span>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
);
