import type { Metadata } from "next";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

export const metadata: Metadata = { title: "Page not found" };

const NotFound = () => (
  <EmptyState isPage title="Page not found" act={<ButtonLink href="/wallet">Home</ButtonLink>}>
    The address may be wrong, or the page no longer exists.
  </EmptyState>
);

export default NotFound;
