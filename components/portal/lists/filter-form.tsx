import { Children, type ReactNode } from "react";
import { ButtonLink, SubmitButton } from "../../ui/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { countFilters } from "./count-filters.ts";
import type { DateRange } from "./date-range.ts";
import styles from "./filter-form.module.css";

type Props = {
  action: string;
  /** the filters in effect, by name, except the dates of `range` */
  filters: Readonly<Record<string, string | null | undefined>>;
  /** the dates, if the form has a `DateFilter` */
  range?: DateRange;
  /** a field has an error message, which must be visible */
  hasError?: boolean;
  submit?: string;
  clear?: string;
  /** the URL of the list without search and filters; default: `action` */
  clearHref?: string;
  /** the text that opens and closes the form on narrow screens */
  label?: string;
  /** other parameters of the URL, which a search keeps */
  kept?: Readonly<Record<string, string>>;
  children: ReactNode;
};

/**
 * A native GET form, so that the URL contains the search and all filters. On narrow screens, a form with several fields
 * is closed until the reader opens it, unless a field has an error. Its summary shows how many filters are in effect.
 */
export const FilterForm = ({
  action,
  filters,
  range,
  hasError = false,
  submit = "Filter",
  clear = "Clear",
  clearHref = action,
  label = "Filters",
  kept = {},
  children,
}: Props) => {
  const count = countFilters({ ...filters, ...(range && { from: range.from, to: range.to }) });
  const isOpen = hasError || Boolean(range?.problem);
  const buttons = (
    <div className={styles.acts}>
      <SubmitButton>{submit}</SubmitButton>
      {count > 0 ? (
        <ButtonLink href={clearHref} variant="quiet">
          {clear}
        </ButtonLink>
      ) : null}
    </div>
  );
  return (
    <search className={styles.frame}>
      <form method="get" action={action}>
        {Object.entries(kept).map(([name, text]) => (
          <input key={name} type="hidden" name={name} value={text} />
        ))}
        {Children.count(children) > 1 ? (
          <details className={styles.disclosure} open={isOpen || undefined}>
            <summary>{count > 0 ? `${label} (${count})` : label}</summary>
            <Fields buttons={buttons}>{children}</Fields>
          </details>
        ) : (
          <div className={styles.single}>
            {children}
            {buttons}
          </div>
        )}
      </form>
    </search>
  );
};

/** The fields. The buttons stay next to the last field. */
const Fields = ({ buttons, children }: { buttons: ReactNode; children: ReactNode }) => {
  const fields = Children.toArray(children);
  return (
    <div className={styles.fields}>
      {fields.slice(0, -1)}
      <div className={styles.last}>
        {fields.at(-1)}
        {buttons}
      </div>
    </div>
  );
};

/** The search field of a list. Its URL parameter is `q`. */
export const SearchField = ({
  label,
  value,
  hint,
  maxLength = 100,
}: {
  label: string;
  value: string | undefined;
  hint?: string | undefined;
  maxLength?: number;
}) => <Field label={label} hint={hint} name="q" type="search" defaultValue={value} maxLength={maxLength} />;

/** The currency of a list's rows. Its URL parameter is `currency`. */
export const CurrencyField = ({ value }: { value: string | undefined }) => (
  <Field label="Currency" name="currency" defaultValue={value} maxLength={3} placeholder="EUR" />
);
