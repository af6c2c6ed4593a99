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
  const hasNoReports = ticks.length === 0 && schedules.length === 0;
  return (
    <>
      <PageHead title="Jobs">Scheduled and background jobs.</PageHead>
      {hasNoReports ? (
        <EmptyState title="No workers have reported yet">To see jobs here, start a worker.</EmptyState>
      ) : (
        <>
          <Section title="Failed runs">
            {failed.length > 0 ? (
              <FailedRunsTable failed={failed} now={now} reader={reader} />
            ) : (
              <Notice tone="good">No failed runs in the last seven days.</Notice>
            )}
          </Section>
          <Section title="Scheduled jobs">
            <ScheduleTable schedules={schedules} now={now} reader={reader} />
          </Section>
          <Section title="Background jobs">
            <TickTable ticks={ticks} now={now} reader={reader} />
          </Section>
        </>
      )}
    </>
  );
};

export default JobsPage;
