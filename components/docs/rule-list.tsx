import styles from "./rule-list.module.css";
import { Problem, type RuleView } from "./rule-table.tsx";

type Rule = Pick<RuleView, "name" | "named" | "problem">;
type Chapter = { title: string; slug: string; href: string; rules: readonly Rule[] };

export const RuleList = ({ chapters }: { chapters: readonly Chapter[] }) => (
  <div className={styles.chapters}>
    {chapters.map(({ title, slug, href, rules }) => (
      <section key={slug} id={`chapter-${slug}`} aria-labelledby={`${slug}-title`}>
        <h2 id={`${slug}-title`}>
          <a href={href}>{title}</a>
        </h2>
        <ul>
          {rules.map(({ name, named, problem }) => (
            <li key={name} id={name} data-moved="">
              <a href={`${href}#${name}`}>
                <Problem named={named} problem={problem} />
              </a>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
);
