import { SubmitButton } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import styles from "./search-form.module.css";

/** Filters by address: a native GET form, so that a search can be kept and shared. */
export const SearchForm = ({ value, label, longest = 100 }: { value: string; label: string; longest?: number }) => (
  <search>
    <form method="get" className={styles.form}>
      <Field label={label} name="q" type="search" defaultValue={value} maxLength={longest} />
      <SubmitButton>Search</SubmitButton>
    </form>
  </search>
);
