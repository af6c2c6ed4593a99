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

export const metadata: Metadata = { title: "Incident history" };

/** Months in the history, including this month. */
const historyMonths = 13;

const monthAgo = (now: Date, months: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
const monthName = (month: Date): string => month.toISOString().slice(0, 7);

const HistoryPage = async ({ searchParams }: { searchParams: Promise<{ month?: string | string[] }> }) => {
  const [{ month: requested }, { board, now }] = await Promise.all([searchParams, statusPage()]);
  const months = Array.from({ length: historyMonths }, (_, index) => monthAgo(now, index));
  const found = months.findIndex((month) => monthName(month) === requested);
  const index = Math.max(found, 0);
  const month = months[index] ?? now;
  const { incidents, maintenances } = listMonthEvents(board, month);
  const { isMeasured, unexplained } = findUnexplainedDays(board, now, { month: monthName(month) });
  const hrefOf = (other: Date | undefined) => (other ? `/status/history?month=${monthName(other)}` : null);
  return (
    <>
      <h1>{formatPublicMonth(month)}</h1>
      {incidents.length + maintenances.length + unexplained.length === 0 ? (
        <EmptyState title="No incidents this month">
          {isMeasured ? "No incident or maintenance started in this month." : "Nothing was measured."}
        </EmptyState>
      ) : null}
      {incidents.map((one) => (
        <IncidentCard key={one.event.id} incident={incidentView(one)} now={now} />
      ))}
      {maintenances.map((one) => (
        <MaintenanceCard key={one.event.id} maintenance={maintenanceView(one)} now={now} />
      ))}
      {unexplained.length > 0 ? <UnexplainedDays days={unexplainedView(unexplained, false)} /> : null}
      <MonthPager newer={hrefOf(months[index - 1])} older={hrefOf(months[index + 1])} />
    </>
  );
};

export default HistoryPage;
