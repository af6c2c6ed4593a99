import type { Metadata } from "next";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

export const metadata: Metadata = { title: "Not found" };

const NotFound = () => (
  <EmptyState isPage title="Not found" act={<ButtonLink href="/operator">Home</ButtonLink>}>
    It may be gone, or the address is mistyped.
  </EmptyState>
);

export default NotFound;
