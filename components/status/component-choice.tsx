import { Choice } from "../ui/choice.tsx";
import styles from "./component-choice.module.css";

/** All components, or one checkbox per component. It works without JavaScript: CSS shows the checkboxes. */
export const ComponentChoice = ({
  components,
  chosen,
}: {
  components: readonly { key: string; name: string }[];
  /** the keys of the selected components; null: all */
  chosen: readonly string[] | null;
}) => (
  <fieldset className={styles.choice}>
    <legend>Components</legend>
    <Choice type="radio" name="which" value="all" defaultChecked={chosen === null}>
      All components, including future ones
    </Choice>
    <Choice type="radio" name="which" value="selected" defaultChecked={chosen !== null}>
      Selected components
    </Choice>
    <div className={styles.selection}>
      {components.map(({ key, name }) => (
        <Choice key={key} type="checkbox" name={key} value="on" defaultChecked={chosen?.includes(key) ?? false}>
          {name}
        </Choice>
      ))}
    </div>
  </fieldset>
);
