import styles from "./unexplained-days.module.css";

type Day = { key: string; words: string };

/** Days on which probes measured trouble that no incident explains. */
export const UnexplainedDays = ({ days }: { days: readonly Day[] }) => (
  <section className={`card ${styles.days}`} aria-labelledby="unexplained">
    <h2 id="unexplained">Measured without an incident</h2>
    <p className="small muted">Our probes measured this. No incident was reported for it.</p>
    <ul className="small num">
      {days.map(({ key, words }) => (
        <li key={key}>{words}</li>
      ))}
    </ul>
  </section>
);
