"use client";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

/** A fault of ours: nothing of it is told but a number to ask by. */
export const ErrorState = ({ digest, retry }: { digest: string | undefined; retry: () => void }) => (
  <EmptyState isPage title="Something went wrong on our side" act={<Button onClick={retry}>Try again</Button>}>
    Nothing was changed by it. Try again in a moment.{digest ? ` If it stays, tell us ${digest}.` : ""}
  </EmptyState>
);
