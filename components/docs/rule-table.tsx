import styles from "./rule-table.module.css";

export type RuleRow = { name: string; source: string; error: string; problem: string; places: readonly string[] };

/** Rules that look at one thing, in the order in which they are checked. */
export const RuleTable = ({ title, rules }: { title: string; rules: readonly RuleRow[] }) => (
  <section className={styles.group}>
    <h2>{title}</h2>
    <ol>
      {rules.map(({ name, source, error, problem, places }) => (
        <li key={name} id={name} className={styles.rule}>
          <p>
            <code>{error}</code> {problem}
          </p>
          <p className={styles.about}>
            {source} · {places.join(", ")}
          </p>
        </li>
      ))}
    </ol>
  </section>
);
