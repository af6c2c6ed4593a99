import type { Metadata } from "next";
import { PageFrame } from "#components/layout/page-frame.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { currentTheme, pageConfig } from "./page-context.ts";

export const metadata: Metadata = { title: "Page not found" };

const NotFound = async () => {
  const config = await pageConfig();
  return (
    <PageFrame
      width="narrow"
      environment={config.environment}
      theme={await currentTheme()}
      statusUrl={config.statusUrl}
    >
      <EmptyState isPage title="Page not found" act={<ButtonLink href="/">Go to the start</ButtonLink>}>
        The address may be mistyped, or what it named may be gone.
      </EmptyState>
    </PageFrame>
  );
};

export default NotFound;
