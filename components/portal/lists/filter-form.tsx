import type { ReactNode } from "react";
import { ButtonLink, SubmitButton } from "../../ui/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import styles from "./filter-form.module.css";

/** A native GET form, so that the URL contains the search and all filters. */
export const FilterForm = ({
  action,
  isFiltered,
  submit = "Filter",
  clear = "Clear",
  clearHref = action,
  children,
}: {
  action: string;
  isFiltered: boolean;
  submit?: string;
  clear?: string;
  /** the list without a search and filters */
  clearHref?: string;
  children: ReactNode;
}) => (
  <search>
    <form method="get" action={action} className={styles.form}>
      {children}
      <div className={styles.acts}>
        <SubmitButton>{submit}</SubmitButton>
        {isFiltered ? (
          <ButtonLink href={clearHref} variant="quiet">
            {clear}
          </ButtonLink>
        ) : null}
      </div>
    </form>
  </search>
);

/** The search text of a list, next to its other filters. Its URL parameter is `q`. */
export const SearchField = ({
  label,
  value,
  hint,
}: {
  label: string;
  value: string | undefined;
  hint?: string | undefined;
}) => <Field label={label} hint={hint} name="q" type="search" defaultValue={value} maxLength={100} />;

/** The currency of a list's rows. Its URL parameter is `currency`. */
export const CurrencyField = ({ value }: { value: string | undefined }) => (
  <Field label="Currency" name="currency" defaultValue={value} maxLength={3} placeholder="EUR" />
);
