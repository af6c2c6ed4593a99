import { Choice } from "../../ui/choice.tsx";
import styles from "../portal.module.css";

type Props = {
  legend: string;
  /** each scope with its description */
  scopes: readonly (readonly [string, string])[];
  /** the scopes that are selected initially */
  selected?: readonly string[];
  error?: string | null;
};

/** One checkbox per scope. */
export const ScopeChoice = ({ legend, scopes, selected = [], error = null }: Props) => (
  <fieldset className={styles.group}>
    <legend>{legend}</legend>
    {scopes.map(([scope, meaning]) => (
      <Choice key={scope} type="checkbox" name="scope" value={scope} defaultChecked={selected.includes(scope)}>
        <span>
          <code>{scope}</code> <span className="muted">{meaning}</span>
        </span>
      </Choice>
    ))}
    {error ? (
      <p className={styles.error} role="alert">
        {error}
      </p>
    ) : null}
  </fieldset>
);
