import type { Metadata } from "next";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import { MovedAnchors } from "#components/docs/moved-anchors.tsx";
import { OverviewLists } from "#components/docs/overview-lists.tsx";
import { DocsSearch } from "#components/docs/search/docs-search.tsx";
import { docsSite } from "./docs-site.ts";
import { searchEntries } from "./search-entries.ts";

export const metadata: Metadata = { title: "Documentation" };

/** The contents of /openapi.json as readable pages. */
const OverviewPage = async () => {
  const { config, ...site } = await docsSite();
  return (
    <DocsFrame
      site={site}
      current="/docs"
      title="Documentation"
      intro={
        <p>
          The API of <code>{config.baseUrl}</code>. The machine-readable version is{" "}
          <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1). To integrate step by step, with code that contains
          your IDs, open <a href="/merchant/getting-started">Getting started</a>.
        </p>
      }
    >
      <MovedAnchors />
      <DocsSearch entries={searchEntries(site.groups)}>
        <OverviewLists groups={site.groups} />
      </DocsSearch>
    </DocsFrame>
  );
};

export default OverviewPage;
