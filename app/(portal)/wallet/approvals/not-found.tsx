import type { Metadata } from "next";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

export const metadata: Metadata = { title: "Payment not found" };

const NotFound = () => (
  <EmptyState isPage title="Payment not found" act={<ButtonLink href="/wallet/approvals">All approvals</ButtonLink>}>
    This payment isn’t one of yours, or the address is wrong.
  </EmptyState>
);

export default NotFound;
