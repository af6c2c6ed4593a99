import { SubmitButton } from "../../ui/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import styles from "./search-form.module.css";

/** A native GET form, so that a search can be bookmarked and shared. */
export const ListSearchForm = ({
  value,
  label,
  maxLength = 100,
}: {
  value: string;
  label: string;
  maxLength?: number;
}) => (
  <search>
    <form method="get" className={styles.form}>
      <Field label={label} name="q" type="search" defaultValue={value} maxLength={maxLength} />
      <SubmitButton>Search</SubmitButton>
    </form>
  </search>
);
