import type { ReactNode } from "react";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { DateRange } from "./date-range.ts";

/**
 * A list without rows: nothing matches the filters, or there is nothing yet. With invalid dates, nothing is shown,
 * because the filter shows the problem.
 * @param clear the address without filters
 */
export const ListEmpty = ({
  isFiltered,
  range,
  clear,
  noResults = "No results",
  noMatch = "Nothing matches these filters.",
  clearLabel = "Clear the filters",
  title,
  children,
  act,
}: {
  isFiltered: boolean;
  /** if the list has a `DateFilter` */
  range?: DateRange;
  clear: string;
  noResults?: string;
  noMatch?: string;
  clearLabel?: string;
  title: string;
  children: ReactNode;
  act?: ReactNode;
}) => {
  if (range?.problem) return null;
  return isFiltered ? (
    <EmptyState
      title={noResults}
      act={
        <ButtonLink href={clear} size="small">
          {clearLabel}
        </ButtonLink>
      }
    >
      {noMatch}
    </EmptyState>
  ) : (
    <EmptyState title={title} act={act}>
      {children}
    </EmptyState>
  );
};
