"use client";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

/** As Next passes them to an error page. */
export type ErrorStateProps = { error: Error & { digest?: string }; reset: () => void };

/** An internal error. The page shows only the number under which it was logged. */
export const ErrorState = ({ error: { digest }, reset }: ErrorStateProps) => (
  <EmptyState isPage title="Something went wrong on our side" act={<Button onClick={reset}>Try again</Button>}>
    Nothing was changed. Please try again in a moment.
    {digest ? ` If the problem persists, contact us and include error ID ${digest}.` : ""}
  </EmptyState>
);
