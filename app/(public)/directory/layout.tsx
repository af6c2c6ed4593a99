import type { Metadata } from "next";
import type { ReactNode } from "react";
import { PageFrame, SiteLinks } from "#components/layout/page-frame.tsx";
import { currentTheme } from "../../page-context.ts";
import { directoryPage } from "./directory-context.ts";

export const metadata: Metadata = {
  title: { default: "Directory · Paygrant", template: "%s · Directory · Paygrant" },
  description: "The participants of Paygrant, how to connect to them, and how to verify their entries.",
};

const DirectoryLayout = async ({ children }: { children: ReactNode }) => {
  const [{ config, origin }, theme] = await Promise.all([directoryPage(), currentTheme()]);
  const demo = config.environment === "sandbox" ? `${origin}/demo` : `${config.sandboxUrl}/demo`;
  return (
    <PageFrame
      width="wide"
      environment={config.environment}
      theme={theme}
      statusUrl={config.statusUrl}
      origin={origin}
      aside={<SiteLinks demoUrl={demo} origin={origin} isSignUpOpen={config.signUp === "open"} />}
    >
      {children}
    </PageFrame>
  );
};

export default DirectoryLayout;
