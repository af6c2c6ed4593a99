import type { Metadata } from "next";
import { mandateName } from "#components/format/labels/mandate-labels.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ActivityFilter, type ActivityQuery, activityUrl, isShow } from "#components/wallet/activity-filter.tsx";
import { ChargeTable } from "#components/wallet/charge-table.tsx";
import { portalPage } from "../../portal-context.ts";

export const metadata: Metadata = { title: "Activity" };

type Params = Readonly<Record<string, string | string[] | undefined>>;

const readQuery = (params: Params): ActivityQuery => {
  const text = (name: string) => {
    const value = params[name];
    // Ids and filter names match this pattern. Anything else is ignored.
    return typeof value === "string" && /^\w{1,64}$/.test(value) ? value : undefined;
  };
  const [mandate, show, after] = [text("mandate"), text("show"), text("after")];
  return { ...(mandate && { mandate }), ...(isShow(show) && { show }), ...(after && { after }) };
};

const ActivityPage = async ({ searchParams }: { searchParams: Promise<Params> }) => {
  const query = readQuery(await searchParams);
  const { api, reader, businessNow: now } = await portalPage("/wallet/activity");
  const [names, { charges, hasMore }] = await Promise.all([
    api.wallet.mandateNames(query.mandate ? { including: query.mandate } : {}),
    api.wallet.activity({
      ...(query.mandate && { mandateId: query.mandate }),
      ...(query.show && { show: query.show }),
      ...(query.after && { startingAfter: query.after }),
    }),
  ]);
  const { after, ...filter } = query;
  const last = charges.at(-1);
  const isFiltered = query.mandate !== undefined || query.show !== undefined;
  return (
    <>
      <PageHead title="Activity">Every charge and refund under your mandates, newest first.</PageHead>
      <ActivityFilter
        query={query}
        mandates={names.map(({ id, clientName, purpose }) => ({
          id,
          label: mandateName({ client: { name: clientName }, purpose }),
        }))}
      />
      {charges.length > 0 ? (
        <ChargeTable caption="Charges" charges={charges} now={now} reader={reader} />
      ) : (
        <EmptyState title={isFiltered ? "No matching charges" : "No charges yet"}>
          {isFiltered
            ? "No charge matches these filters. Clear them to see every charge."
            : "Charges under your mandates appear here."}
        </EmptyState>
      )}
      <Pager
        newest={after ? activityUrl(filter) : null}
        older={hasMore && last ? activityUrl({ ...filter, after: last.id }) : null}
      />
    </>
  );
};

export default ActivityPage;
