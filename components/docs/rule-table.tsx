import styles from "./rule-table.module.css";

/** A part of the API that checks a rule. `href` is set if the part is a single operation. */
export type PlaceView = { text: string; href: string | null };
export type RuleView = {
  name: string;
  source: string;
  error: string;
  /** the parameter or claim whose name precedes the problem in the response; null if there is none */
  named: string | null;
  problem: string;
  /** set only if they differ from the places of the group */
  places: readonly PlaceView[] | null;
};

type Props = { title: string; places: readonly PlaceView[]; rules: readonly RuleView[] };

/** Rules about one part of a request, in the order in which they are checked. */
export const RuleTable = ({ title, places, rules }: Props) => (
  <section className={styles.group}>
    <header className={styles.head}>
      <h2>{title}</h2>
      {places.length === 0 ? null : (
        <p className={styles.about}>
          <Places places={places} />
        </p>
      )}
    </header>
    <ol>
      {rules.map(({ name, source, error, named, problem, places: own }) => (
        <li key={name} id={name} className={styles.rule}>
          <code>{error}</code>
          <div>
            <p className={styles.problem}>
              <a href={`#${name}`}>
                <Problem named={named} problem={problem} />
              </a>
            </p>
            <p className={styles.about}>
              {source}
              {own === null ? null : (
                <>
                  {" · "}
                  <Places places={own} />
                </>
              )}
            </p>
          </div>
        </li>
      ))}
    </ol>
  </section>
);

/** The problem as the response describes it, after the name of the parameter or claim. */
export const Problem = ({ named, problem }: Pick<RuleView, "named" | "problem">) => (
  <>
    {named === null ? null : (
      <>
        <span className={styles.named}>{named}</span>
        {": "}
      </>
    )}
    {problem}
  </>
);

const Places = ({ places }: { places: readonly PlaceView[] }) =>
  places.map(({ text, href }, index) => (
    <span key={text}>
      {index === 0 ? null : ", "}
      {href === null ? text : <a href={href}>{text}</a>}
    </span>
  ));
