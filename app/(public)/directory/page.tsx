import type { Metadata } from "next";
import { headers } from "next/headers";
import styles from "#components/directory/directory.module.css";
import { DirectoryFilter } from "#components/directory/directory-filter.tsx";
import { environmentLabels } from "#components/directory/directory-labels.ts";
import { ParticipantList } from "#components/directory/participant-list.tsx";
import { listAddress, type SearchParams } from "#components/portal/lists/list-address.ts";
import { buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { forReading } from "#server/data/replica/for-reading.ts";
import { listParticipants } from "#server/directory/participants/list-participants.ts";
import { currencies } from "#server/kernel/money/money.ts";
import { serverMetadata } from "#server/oauth/server-metadata.ts";
import { directoryPage } from "./directory-context.ts";
import { readDirectoryQuery } from "./directory-query.ts";

export const metadata: Metadata = { title: { absolute: "Directory · Paygrant" } };

/**
 * The highest count that the page shows exactly. The query counts at most one row more, because counting all rows would
 * take too long.
 */
const maxCount = 1000;

const countText = (count: number): string => {
  if (count > maxCount) return `More than ${maxCount.toLocaleString("en")} participants`;
  return count === 1 ? "1 participant" : `${count.toLocaleString("en")} participants`;
};

const DirectoryPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const [{ deps, config, base, viewOf }, params] = await Promise.all([directoryPage(), searchParams]);
  const query = readDirectoryQuery(params);
  const page = { ...query, order: "newest", limit: 20, countUpTo: maxCount + 1 } as const;
  const { participants, nextCursor, count } = await listParticipants(
    forReading(deps, (await headers()).get("cookie")),
    page,
  );
  const metadataOf = serverMetadata(deps);
  const offered = [
    "par",
    "dpop",
    "webhooks",
    ...metadataOf.grant_types_supported.map((type) => `grant:${type}`),
    ...metadataOf.authorization_details_types_supported.map((type) => `rar:${type}`),
  ];
  const capabilities = [...new Set([...offered, ...(query.capability ? [query.capability] : [])])];
  return (
    <>
      <header className={styles.head}>
        <div>
          <h1>Directory</h1>
          <p className="muted">
            Merchants and agents of this {config.environment} environment, and authorization servers. Each change to an
            entry is in the <a href={`${base}/log`}>transparency log</a>.
          </p>
        </div>
      </header>
      <DirectoryFilter query={query} capabilities={capabilities} currencies={currencies} base={base} />
      <p className={`small muted ${styles.count}`} role="status">
        {countText(count)}
      </p>
      {participants.length > 0 ? (
        <ParticipantList participants={participants.map(viewOf)} base={base} />
      ) : (
        <EmptyState
          title="No participants found"
          act={
            <a href={base} className={buttonClass({ size: "small" })}>
              Clear the filters
            </a>
          }
        >
          {query.environment && query.environment !== config.environment
            ? `No participant matches these filters. Merchants and agents are all of the ${environmentLabels[config.environment]?.toLowerCase()} environment.`
            : "No participant matches these filters. To search by name, enter the beginning of any of its words."}
        </EmptyState>
      )}
      {query.cursor || nextCursor ? (
        <nav className={styles.pager} aria-label="Pages">
          {query.cursor ? <PageLink to={{ ...query, cursor: undefined }} base={base} text="First page" /> : <span />}
          {nextCursor ? <PageLink to={{ ...query, cursor: nextCursor }} base={base} text="Next page" /> : null}
        </nav>
      ) : null}
    </>
  );
};

type PageLinkProps = { to: Readonly<Record<string, string | undefined>>; base: string; text: string };

const PageLink = ({ to, base, text }: PageLinkProps) => (
  <a href={listAddress(base, to)} className={buttonClass({ size: "small" })}>
    {text}
  </a>
);

export default DirectoryPage;
