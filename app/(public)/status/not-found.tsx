import type { Metadata } from "next";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

export const metadata: Metadata = { title: "Page not found" };

const NotFound = () => (
  <EmptyState isPage title="Page not found" act={<ButtonLink href="/status">How it is now</ButtonLink>}>
    What is told here stays for 13 months. The address may be mistyped, or older than that.
  </EmptyState>
);

export default NotFound;
