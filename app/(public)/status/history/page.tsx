import type { Metadata } from "next";
import { formatPublicMonth } from "#components/format/public-dates.ts";
import { IncidentCard } from "#components/status/events/incident-card.tsx";
import { MaintenanceCard } from "#components/status/events/maintenance-card.tsx";
import { MonthPager } from "#components/status/uptime/month-pager.tsx";
import { UnexplainedDays } from "#components/status/uptime/unexplained-days.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { listMonthEvents } from "#server/status/overview/list-public-events.ts";
import { findUnexplainedDays } from "#server/status/uptime/find-unexplained-days.ts";
import { statusPage } from "../status-context.ts";
import { incidentView, maintenanceView, unexplainedView } from "../views.ts";

export const metadata: Metadata = { title: "History" };

/** How far back is told, this month included. */
const toldMonths = 13;

const monthAgo = (now: Date, months: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
const nameOf = (month: Date): string => month.toISOString().slice(0, 7);

const HistoryPage = async ({ searchParams }: { searchParams: Promise<{ month?: string | string[] }> }) => {
  const [{ month: asked }, { board, now }] = [await searchParams, await statusPage()];
  const months = Array.from({ length: toldMonths }, (_, index) => monthAgo(now, index));
  const found = months.findIndex((month) => nameOf(month) === asked);
  const index = Math.max(found, 0);
  const month = months[index] ?? now;
  const { incidents, maintenances } = listMonthEvents(board, month);
  const { isMeasured, unexplained } = findUnexplainedDays(board, now, { month: nameOf(month) });
  const hrefOf = (other: Date | undefined) => (other ? `/status/history?month=${nameOf(other)}` : null);
  return (
    <>
      <h1>{formatPublicMonth(month)}</h1>
      {incidents.length + maintenances.length + unexplained.length === 0 ? (
        <EmptyState title="No incidents this month">
          {isMeasured ? "There was no downtime, no degradation and no maintenance." : "Nothing was measured."}
        </EmptyState>
      ) : null}
      {incidents.map((told) => (
        <IncidentCard key={told.event.id} incident={incidentView(told)} now={now} />
      ))}
      {maintenances.map((told) => (
        <MaintenanceCard key={told.event.id} maintenance={maintenanceView(told)} now={now} />
      ))}
      {unexplained.length > 0 ? <UnexplainedDays days={unexplainedView(unexplained, false)} /> : null}
      <MonthPager newer={hrefOf(months[index - 1])} older={hrefOf(months[index + 1])} />
    </>
  );
};

export default HistoryPage;
