import type { Metadata } from "next";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import { RateLimitIntro, RateLimits } from "#components/docs/rate-limits.tsx";
import { docsSite } from "../docs-site.ts";

export const metadata: Metadata = { title: "Rate limits" };

const RateLimitsPage = async () => {
  const { config, ...site } = await docsSite();
  return (
    <DocsFrame site={site} current="/docs/rate-limits" title="Rate limits" intro={<RateLimitIntro />}>
      <RateLimits limits={config.rateLimits} />
    </DocsFrame>
  );
};

export default RateLimitsPage;
