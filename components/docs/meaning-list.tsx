import styles from "./guide.module.css";
import { Prose } from "./prose.tsx";

/** Terms and what they mean; text between backticks is code. */
export const MeaningList = ({ items }: { items: readonly (readonly [term: string, meaning: string])[] }) => (
  <dl className={styles.rows}>
    {items.map(([term, meaning]) => (
      <div key={term}>
        <dt>
          <Prose text={term} />
        </dt>
        <dd>
          <Prose text={meaning} />
        </dd>
      </div>
    ))}
  </dl>
);
