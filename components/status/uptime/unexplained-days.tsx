import styles from "./unexplained-days.module.css";

type Day = { key: string; text: string };

/** Days with measured problems that no incident explains. */
export const UnexplainedDays = ({ days }: { days: readonly Day[] }) => (
  <section className={`card ${styles.days}`} aria-labelledby="unexplained">
    <h2 id="unexplained">Problems without an incident</h2>
    <p className="small muted">Our probes measured these problems. No incident was reported for them.</p>
    <ul className="small num">
      {days.map(({ key, text }) => (
        <li key={key}>{text}</li>
      ))}
    </ul>
  </section>
);
