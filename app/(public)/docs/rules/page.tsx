import type { Metadata } from "next";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import { MovedAnchors } from "#components/docs/moved-anchors.tsx";
import { RuleList } from "#components/docs/rule-list.tsx";
import { docsSite } from "../docs-site.ts";
import { chapters, namedBy } from "./rule-chapters.ts";

export const metadata: Metadata = { title: "Rules" };

/** Every rule by name. The ids keep the anchors of the former single page valid. */
const RulesPage = async () => {
  const { config: _, ...site } = await docsSite();
  return (
    <DocsFrame
      site={site}
      current="/docs/rules"
      title="Rules"
      intro={
        <p>
          These are the rules that the authorization server checks in requests, by topic. Each line is the error message
          for a violated rule. Open a rule to see its source and the operations that it applies to. The error response
          describes the first violated rule and names the field, if there is one.
        </p>
      }
    >
      <MovedAnchors />
      <RuleList
        chapters={chapters.map(({ title, slug, href, groups }) => ({
          title,
          slug,
          href,
          rules: groups.flatMap(({ rules }) =>
            rules.map(({ name, names, problem }) => ({ name, named: namedBy(names), problem })),
          ),
        }))}
      />
    </DocsFrame>
  );
};

export default RulesPage;
