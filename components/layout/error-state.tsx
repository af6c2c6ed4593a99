"use client";
import { useEffect, useState } from "react";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

/** The props that Next.js passes to an error page. */
export type ErrorStateProps = { error: Error & { digest?: string }; reset: () => void };

/** The page for an internal error. It shows only the IDs under which the error was logged. */
export const ErrorState = ({ error: { digest }, reset }: ErrorStateProps) => {
  const [requestId, setRequestId] = useState<string | null>(null);
  useEffect(() => setRequestId(findRequestId()), []);
  return (
    <EmptyState isPage title="Something went wrong on our side" act={<Button onClick={reset}>Try again</Button>}>
      Nothing was changed. Please try again in a moment.
      {digest ? ` If the problem persists, contact us and include error ID ${digest}` : ""}
      {digest && requestId ? ` and request ID ${requestId}` : ""}
      {digest ? "." : ""}
    </EmptyState>
  );
};

/** The ID of the request that loaded this document; null if a link opened the page without a new document. */
const findRequestId = (): string | null => {
  const [navigation] = performance.getEntriesByType("navigation");
  const isSameAddress = navigation !== undefined && new URL(navigation.name).pathname === window.location.pathname;
  return isSameAddress ? (document.documentElement.dataset["requestId"] ?? null) : null;
};
