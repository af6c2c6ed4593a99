import type { Metadata } from "next";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

export const metadata: Metadata = { title: "Mandate not found" };

const NotFound = () => (
  <EmptyState isPage title="Mandate not found" act={<ButtonLink href="/wallet/mandates">All mandates</ButtonLink>}>
    This mandate isn’t one of yours, or the address is wrong.
  </EmptyState>
);

export default NotFound;
