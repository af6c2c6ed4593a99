import { useId } from "react";
import { Choice } from "../ui/choice.tsx";
import styles from "./component-choice.module.css";

/** One checkbox per component. Selecting none or all means every component, including future ones. */
export const ComponentChoice = ({
  components,
  chosen,
}: {
  components: readonly { key: string; name: string }[];
  /** the keys of the selected components; empty: all */
  chosen: readonly string[];
}) => {
  const hintId = useId();
  return (
    <fieldset className={styles.choice} aria-describedby={hintId}>
      <legend>Components</legend>
      <p id={hintId} className="small muted">
        If you select none, you get updates for all components, including future ones.
      </p>
      {components.map(({ key, name }) => (
        <Choice
          key={key}
          type="checkbox"
          name={key}
          value="on"
          defaultChecked={chosen.length === 0 || chosen.includes(key)}
        >
          {name}
        </Choice>
      ))}
    </fieldset>
  );
};
