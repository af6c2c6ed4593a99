import type { Metadata } from "next";
import { buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { directoryPage } from "./directory-context.ts";

export const metadata: Metadata = { title: "Page not found" };

const NotFound = async () => {
  const { base } = await directoryPage();
  return (
    <EmptyState
      isPage
      title="Page not found"
      act={
        <a href={base} className={buttonClass({})}>
          Search the directory
        </a>
      }
    >
      The directory has no participant with this ID. Check the address.
    </EmptyState>
  );
};

export default NotFound;
