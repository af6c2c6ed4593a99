import type { Metadata } from "next";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

export const metadata: Metadata = { title: "Page not found" };

const NotFound = () => (
  <EmptyState isPage title="Page not found" act={<ButtonLink href="/operator">Home</ButtonLink>}>
    The page no longer exists, your role has no access to it, or the address is wrong.
  </EmptyState>
);

export default NotFound;
