import { TRPCError } from "@trpc/server";
import type { Metadata } from "next";
import { capitalize } from "#components/format/text.ts";
import { UsageFilter } from "#components/merchant/billing/usage/usage-filter.tsx";
import { readUsageQuery, type UsageQuery, usageAddress } from "#components/merchant/billing/usage/usage-query.ts";
import {
  formatWindow,
  MeteredEvents,
  UsageChart,
  UsageWindows,
} from "#components/merchant/billing/usage/usage-windows.tsx";
import { type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "Usage" };

type Page = Awaited<ReturnType<typeof merchantPage>>;
type Explored = Awaited<ReturnType<Page["api"]["merchantUsage"]["windows"]>>;

/** For an invalid meter or range, returns the problem instead of the usage. */
const explore = async ({ api, merchantId }: Page, query: UsageQuery, range: { start: Date; end: Date }) => {
  const { meter, window, zone: timeZone } = query;
  const period = { from: range.start.toISOString(), to: range.end.toISOString() };
  try {
    const usage = await api.merchantUsage.windows({ merchantId, meter, window, timeZone, ...period });
    return { usage, problem: null };
  } catch (error) {
    if (!(error instanceof TRPCError) || error.code !== "BAD_REQUEST") throw error;
    // Some messages begin with the name of a field, in lower case.
    return { usage: null, problem: capitalize(error.message) };
  }
};

const UsagePage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const page = await merchantPage("/merchant/billing/usage");
  const { reader, businessNow: now } = page;
  const { query, chosen, range, zoneProblem } = readUsageQuery(params, { timeZone: reader.timeZone, now });
  const { usage, problem } = await explore(page, query, range);
  const hasUsage = usage?.windows.some(({ quantity }) => quantity !== "0") ?? false;
  const problems = { zone: zoneProblem, window: problem };
  return (
    <>
      <PageHead title="Usage">Your usage of one meter over time. Select a window to see its events.</PageHead>
      <UsageFilter
        query={query}
        chosen={chosen}
        range={range}
        ownMeters={usage?.ownMeters ?? []}
        problems={problems}
        now={now}
        reader={reader}
      />
      {usage ? <UsageChart usage={usage} query={query} reader={reader} /> : null}
      {usage && hasUsage ? <UsageWindows usage={usage} query={query} reader={reader} /> : null}
      {usage && !hasUsage ? (
        <EmptyState title="No usage">Nothing was counted for this meter in this period.</EmptyState>
      ) : null}
      {usage ? <WindowEvents page={page} params={params} query={query} usage={usage} /> : null}
    </>
  );
};

type EventsProps = { page: Page; params: SearchParams; query: UsageQuery; usage: Explored };

/** The events of the window that the URL names. */
const WindowEvents = async ({ page, params, query, usage }: EventsProps) => {
  const at = searchText(params, "at", 40);
  const chosen = usage.windows.find(({ from }) => from === at);
  if (!chosen) return null;
  const after = searchId(params, "after");
  const { api, merchantId, reader } = page;
  const { from, to } = chosen;
  const listed = { merchantId, meter: query.meter, from, to, startingAfter: after };
  const { events, hasMore } = await api.merchantUsage.events(listed);
  const zoned = { ...reader, timeZone: query.zone };
  const address = (last: string | undefined) => `${usageAddress({ ...query, at, after: last })}#events`;
  return (
    <div id="events">
      <Section title={`Events: ${formatWindow(chosen, query.window, zoned)}`}>
        {events.length > 0 ? (
          <MeteredEvents events={events} reader={zoned} />
        ) : (
          <EmptyState title="No events">This window has no events.</EmptyState>
        )}
        <Pager newest={after ? address(undefined) : null} older={hasMore ? address(events.at(-1)?.id) : null} />
      </Section>
    </div>
  );
};

export default UsagePage;
