import type { Metadata } from "next";
import type { ReactNode } from "react";
import { StatusFrame } from "#components/status/status-frame.tsx";
import { currentTheme } from "../../page-context.ts";
import { statusPage } from "./status-context.ts";

export const metadata: Metadata = {
  title: { default: "Status", template: "%s · Paygrant status" },
  description: "The current status of Paygrant, with incidents, maintenance and uptime.",
  alternates: {
    types: { "application/rss+xml": "/status/feed.rss", "application/atom+xml": "/status/feed.atom" },
  },
};

const StatusLayout = async ({ children }: { children: ReactNode }) => {
  const { productionUrl } = await statusPage();
  return (
    <StatusFrame theme={await currentTheme()} productionUrl={productionUrl}>
      {children}
    </StatusFrame>
  );
};

export default StatusLayout;
