import type { Metadata } from "next";
import { FailedRunsTable, ScheduleTable, TickTable } from "#components/operator/service/job-tables.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Jobs" };

const JobsPage = async () => {
  const { api, reader, now } = await operatorPage("/operator/jobs");
  const { ticks, schedules, failed } = await api.operatorService.jobs();
  const isUnheard = ticks.length === 0 && schedules.length === 0;
  return (
    <>
      <PageHead title="Jobs">What runs by itself, as the workers of this environment tell of it.</PageHead>
      {isUnheard ? (
        <EmptyState title="No worker has told of itself yet">Start a worker; its jobs are listed here then.</EmptyState>
      ) : (
        <>
          <Section title="Runs that failed">
            {failed.length > 0 ? (
              <FailedRunsTable failed={failed} now={now} reader={reader} />
            ) : (
              <Notice tone="good">None of the last seven days waits to be retried.</Notice>
            )}
          </Section>
          <Section title="Schedules">
            <ScheduleTable schedules={schedules} now={now} reader={reader} />
          </Section>
          <Section title="Ticks">
            <TickTable ticks={ticks} now={now} reader={reader} />
          </Section>
        </>
      )}
    </>
  );
};

export default JobsPage;
