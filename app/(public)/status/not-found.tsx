import type { Metadata } from "next";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

export const metadata: Metadata = { title: "Page not found" };

const NotFound = () => (
  <EmptyState isPage title="Page not found" act={<ButtonLink href="/status">Current status</ButtonLink>}>
    Incidents and maintenance are kept for 13 months. Check the address.
  </EmptyState>
);

export default NotFound;
