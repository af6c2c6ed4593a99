import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AuditEntries } from "#components/merchant/audit/audit-entries.tsx";
import { AuditFilter } from "#components/merchant/audit/audit-filter.tsx";
import {
  auditListAddress,
  isFilteredAudit,
  readAuditQuery,
  toAuditFilter,
} from "#components/merchant/audit/audit-query.ts";
import { listInRange, readDateRange } from "#components/portal/lists/date-range.ts";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Audit log" };

const AuditPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const query = readAuditQuery(params);
  const { api, merchantId, reader, now, may } = await merchantPage(auditListAddress(query));
  if (!may("audit.list")) notFound();
  const range = readDateRange(params, reader.timeZone);
  const [{ entries, nextCursor }, { members }] = await Promise.all([
    listInRange(range, { entries: [], nextCursor: null }, () =>
      api.merchantAudit.list({ merchantId, ...toAuditFilter(query, range) }),
    ),
    api.team.list({ merchantId, limit: 100 }),
  ]);
  return (
    <>
      <PageHead title="Audit log">
        Changes by your team, your apps, Paygrant’s operators and automatic processes, newest first. Owners and admins
        can see this log.
      </PageHead>
      <AuditFilter query={query} range={range} members={members} now={now} reader={reader} />
      {entries.length > 0 ? (
        <AuditEntries entries={entries} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={isFilteredAudit(query)}
          range={range}
          clear="/merchant/audit"
          noMatch={
            nextCursor
              ? "No match in the entries searched so far. To search older entries, select Older, or choose dates."
              : "No entry matches these filters."
          }
          title="No entries yet"
        >
          Changes to settings, team, apps, webhooks and billing appear here.
        </ListEmpty>
      )}
      <Pager
        newest={query.after === undefined ? null : auditListAddress({ ...query, after: undefined })}
        older={nextCursor ? auditListAddress({ ...query, after: nextCursor }) : null}
      />
    </>
  );
};

export default AuditPage;
