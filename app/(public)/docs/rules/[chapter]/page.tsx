import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import { RuleTable } from "#components/docs/rule-table.tsx";
import { docsSite } from "../../docs-site.ts";
import { chapters, toView } from "../rule-chapters.ts";

type Props = { params: Promise<{ chapter: string }> };

const findChapter = async ({ params }: Props) => {
  const { chapter } = await params;
  return chapters.find(({ slug }) => slug === chapter);
};

export const generateMetadata = async (props: Props): Promise<Metadata> => ({
  title: `Rules: ${(await findChapter(props))?.title ?? "page not found"}`,
});

/** One chapter of the rules by which requests are checked. */
const ChapterPage = async (props: Props) => {
  const chapter = await findChapter(props);
  if (!chapter) notFound();
  const { config: _, ...site } = await docsSite();
  return (
    <DocsFrame
      site={site}
      current={chapter.href}
      title={chapter.title}
      intro={
        <p>
          This page lists one group of the <a href="/docs/rules">rules</a> for requests.
        </p>
      }
    >
      <div>
        {chapter.groups.map((group) => (
          <RuleTable key={group.looksAt} {...toView(group)} />
        ))}
      </div>
    </DocsFrame>
  );
};

export default ChapterPage;
