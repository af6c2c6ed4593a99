import type { ReactNode } from "react";
import { ButtonLink, SubmitButton } from "../../ui/button.tsx";
import styles from "./filter-form.module.css";

/** A native GET form, so that the URL holds the filters. */
export const FilterForm = ({
  action,
  isFiltered,
  children,
}: {
  action: string;
  isFiltered: boolean;
  children: ReactNode;
}) => (
  <form method="get" action={action} className={styles.form}>
    {children}
    <SubmitButton>Filter</SubmitButton>
    {isFiltered ? (
      <ButtonLink href={action} variant="quiet">
        Clear
      </ButtonLink>
    ) : null}
  </form>
);
