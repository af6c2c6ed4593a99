import type { ReactNode } from "react";
import { ButtonLink, SubmitButton } from "../../ui/button.tsx";
import styles from "./filter-form.module.css";

/** Filters live in the address, by a native GET form. */
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
