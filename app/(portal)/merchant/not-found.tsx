import type { Metadata } from "next";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { currentMembership } from "../portal-context.ts";

export const metadata: Metadata = { title: "Page not found" };

const NotFound = async () => {
  const { all = [] } = (await currentMembership()) ?? {};
  return (
    <EmptyState isPage title="Page not found" act={<ButtonLink href="/merchant">Back to overview</ButtonLink>}>
      The address is wrong, the page belongs to another merchant, or your role has no access to it.
      {all.length > 1 ? " If it belongs to another of your merchants, select that merchant first." : null}
    </EmptyState>
  );
};

export default NotFound;
