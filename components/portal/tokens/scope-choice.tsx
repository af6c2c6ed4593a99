import { Choice } from "../../ui/choice.tsx";
import styles from "../portal.module.css";

/** One checkbox per scope, all checked. @param scopes each with its description. */
export const ScopeChoice = ({ legend, scopes }: { legend: string; scopes: readonly (readonly [string, string])[] }) => (
  <fieldset className={styles.group}>
    <legend>{legend}</legend>
    {scopes.map(([scope, meaning]) => (
      <Choice key={scope} type="checkbox" name="scope" value={scope} defaultChecked>
        <span>
          <code>{scope}</code> <span className="muted">{meaning}</span>
        </span>
      </Choice>
    ))}
  </fieldset>
);
