import type { ReactNode } from "react";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/**
 * A list without rows: nothing matches the filters, or there is nothing yet. @param clear the address without filters
 */
export const ListEmpty = ({
  isFiltered,
  clear,
  noResults = "No results",
  noMatch = "Nothing matches these filters.",
  clearLabel = "Clear the filters",
  title,
  children,
  act,
}: {
  isFiltered: boolean;
  clear: string;
  noResults?: string;
  noMatch?: string;
  clearLabel?: string;
  title: string;
  children: ReactNode;
  act?: ReactNode;
}) =>
  isFiltered ? (
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
