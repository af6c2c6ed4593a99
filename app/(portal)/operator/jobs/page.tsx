import type { Metadata } from "next";
import { FailedRunsTable, ScheduleTable, TickTable } from "#components/operator/service/job-tables.tsx";
import { FilterForm, SearchField } from "#components/portal/lists/filter-form.tsx";
import { type SearchParams, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Jobs" };

const path = "/operator/jobs";

const JobsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const search = searchText(await searchParams, "q");
  const { api, reader, now } = await operatorPage(path);
  const { ticks, schedules, failed } = await api.operatorService.jobs({ search });
  const isEmpty = ticks.length === 0 && schedules.length === 0;
  return (
    <>
      <PageHead title="Jobs">Scheduled and background jobs.</PageHead>
      {isEmpty && search === undefined ? null : (
        <FilterForm action={path} filters={{ q: search }} submit="Search">
          <SearchField label="Search jobs" value={search} hint="A part of a name." />
        </FilterForm>
      )}
      {isEmpty ? (
        <ListEmpty
          isFiltered={search !== undefined}
          clear={path}
          noMatch="No job’s name contains this text."
          clearLabel="Clear the search"
          title="No workers have reported yet"
        >
          To see jobs here, start a worker.
        </ListEmpty>
      ) : (
        <>
          <Section title="Failed runs">
            {failed.length > 0 ? (
              <FailedRunsTable failed={failed} now={now} reader={reader} />
            ) : (
              <Notice tone="good">
                {search === undefined
                  ? "No failed runs in the last seven days."
                  : "No failed runs of these jobs in the last seven days."}
              </Notice>
            )}
          </Section>
          {schedules.length > 0 ? (
            <Section title="Scheduled jobs">
              <ScheduleTable schedules={schedules} now={now} reader={reader} />
            </Section>
          ) : null}
          {ticks.length > 0 ? (
            <Section title="Background jobs">
              <TickTable ticks={ticks} now={now} reader={reader} />
            </Section>
          ) : null}
        </>
      )}
    </>
  );
};

export default JobsPage;
