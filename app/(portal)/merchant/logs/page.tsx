import type { Metadata } from "next";
import { LogFilter } from "#components/merchant/logs/log-filter.tsx";
import { isFilteredLog, logsAddress, readLogQuery, toLogFilter } from "#components/merchant/logs/log-query.ts";
import { LogTable } from "#components/merchant/logs/log-table.tsx";
import { listInRange, readDateRange } from "#components/portal/lists/date-range.ts";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "API logs" };

const LogsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const query = readLogQuery(params);
  const { api, merchantId, reader, now } = await merchantPage(logsAddress(query));
  const range = readDateRange(params, reader.timeZone);
  const [{ logs, hasMore }, { apps }] = await Promise.all([
    listInRange(range, { logs: [], hasMore: false }, () => api.logs.list({ merchantId, ...toLogFilter(query, range) })),
    api.apps.list({ merchantId, limit: 100 }),
  ]);
  return (
    <>
      <PageHead title="API logs">
        Authenticated requests from your apps in the last 30 days. Tokens, keys and card data are removed.
      </PageHead>
      <LogFilter query={query} range={range} apps={apps} now={now} reader={reader} />
      {logs.length > 0 ? (
        <LogTable logs={logs} now={now} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={isFilteredLog(query)}
          range={range}
          clear="/merchant/logs"
          noMatch="No request matches these filters."
          title="No requests in the last 30 days"
          act={
            <ButtonLink href="/merchant/getting-started" size="small">
              Getting started
            </ButtonLink>
          }
        >
          A request usually appears here within a second of its response.
        </ListEmpty>
      )}
      <Pager
        newest={query.after === undefined ? null : logsAddress({ ...query, after: undefined })}
        older={hasMore ? logsAddress({ ...query, after: logs.at(-1)?.requestId }) : null}
      />
    </>
  );
};

export default LogsPage;
