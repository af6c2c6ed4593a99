import type { Metadata } from "next";
import { AuditList } from "#components/operator/audit/audit-list.tsx";
import { AuditTools } from "#components/operator/audit/audit-tools.tsx";
import { DateFilter } from "#components/portal/lists/date-filter.tsx";
import { listInRange, periodOf, readDateRange } from "#components/portal/lists/date-range.ts";
import { FilterForm } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { Field } from "#components/ui/field/field.tsx";
import { auditShards } from "#server/audit/audit-shards.ts";
import { orNotFound } from "../../portal-context.ts";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Audit log" };

const here = "/operator/audit";
const names = ["actor", "action", "subject", "request"] as const;

const AuditPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const { api, reader, now } = await operatorPage(here);
  const range = readDateRange(params, reader.timeZone);
  const [actor, action, subject, request] = names.map((name) => searchText(params, name));
  const cursor = searchText(params, "after");
  const filter = {
    ...periodOf(range),
    actorId: actor,
    action,
    subjectId: subject,
    requestId: request,
  };
  const { entries, nextCursor } = await listInRange(range, { entries: [], nextCursor: null }, () =>
    orNotFound(api.operator.searchAudit({ ...filter, cursor })),
  );
  const query = { actor, action, subject, request };
  const { from, to } = range;
  const isFiltered = [actor, action, subject, request, from, to].some((value) => value !== undefined);
  return (
    <>
      <AuditHead />
      {range.problem === null ? <AuditTools filter={filter} shards={auditShards} /> : null}
      <FilterForm action={here} filters={query} range={range}>
        <QueryFields query={query} />
        <DateFilter
          range={range}
          now={now}
          reader={reader}
          addressOf={(period) => listAddress(here, { ...query, ...period })}
        />
      </FilterForm>
      {entries.length > 0 ? (
        <AuditList entries={entries} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={isFiltered}
          range={range}
          clear={here}
          noMatch={
            from === undefined && to === undefined
              ? "No entry of the last 24 hours matches. Actions and IDs must match exactly. To search in another period, choose dates."
              : "No entry matches. Actions and IDs must match exactly."
          }
          title="No entries in the last 24 hours"
        >
          To see older entries, choose dates.
        </ListEmpty>
      )}
      <Pager
        newest={cursor === undefined ? null : listAddress(here, { ...query, from, to })}
        older={nextCursor ? listAddress(here, { ...query, from, to, after: nextCursor }) : null}
      />
    </>
  );
};

type Query = Readonly<Record<(typeof names)[number], string | undefined>>;

const QueryFields = ({ query }: { query: Query }) => (
  <>
    <Field label="Actor" name="actor" defaultValue={query.actor ?? ""} maxLength={100} hint="E-mail address or ID." />
    <Field
      label="Action"
      name="action"
      defaultValue={query.action ?? ""}
      maxLength={100}
      hint="For example mandate.revoked."
    />
    <Field
      label="Subject"
      name="subject"
      defaultValue={query.subject ?? ""}
      maxLength={100}
      hint="The ID of what the action changed."
    />
    <Field
      label="Request"
      name="request"
      defaultValue={query.request ?? ""}
      maxLength={100}
      hint="The value of the X-Request-Id header."
    />
  </>
);

const AuditHead = () => (
  <PageHead title="Audit log">
    Every action that moves money or changes permissions or settings, and its actor. The entries form hash chains.
    Without dates, the list shows the last 24 hours.
  </PageHead>
);

export default AuditPage;
