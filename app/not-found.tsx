import type { Metadata } from "next";
import { PageFrame } from "#components/layout/page-frame.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { currentTheme, pageConfig } from "./page-context.ts";

export const metadata: Metadata = { title: "Page not found" };

const NotFound = async () => {
  const [config, theme] = await Promise.all([pageConfig(), currentTheme()]);
  return (
    <PageFrame width="narrow" environment={config.environment} theme={theme} statusUrl={config.statusUrl}>
      <EmptyState isPage title="Page not found" act={<ButtonLink href="/">Go to the home page</ButtonLink>}>
        The address may be wrong, or the page no longer exists.
      </EmptyState>
    </PageFrame>
  );
};

export default NotFound;
