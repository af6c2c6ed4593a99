import { SubmitButton } from "../../ui/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import styles from "./search-form.module.css";

/** A native GET form, so that a search can be bookmarked and shared. */
export const ListSearchForm = ({
  value,
  label,
  maxLength = 100,
  kept = {},
}: {
  value: string;
  label: string;
  maxLength?: number;
  /** other parameters of the address, which a search keeps */
  kept?: Readonly<Record<string, string>>;
}) => (
  <search>
    <form method="get" className={styles.form}>
      {Object.entries(kept).map(([name, text]) => (
        <input key={name} type="hidden" name={name} value={text} />
      ))}
      <Field label={label} name="q" type="search" defaultValue={value} maxLength={maxLength} />
      <SubmitButton>Search</SubmitButton>
    </form>
  </search>
);
