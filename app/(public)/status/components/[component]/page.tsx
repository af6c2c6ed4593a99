import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { describeErrorBudgetPolicy } from "#components/format/labels/status-labels.ts";
import { Section } from "#components/portal/page-head.tsx";
import { ComponentRow } from "#components/status/component-list.tsx";
import { IncidentCard } from "#components/status/events/incident-card.tsx";
import { MaintenanceCard } from "#components/status/events/maintenance-card.tsx";
import { AsOf, Freshness } from "#components/status/freshness.tsx";
import { LatencyTable } from "#components/status/uptime/latency-table.tsx";
import { UnexplainedDays } from "#components/status/uptime/unexplained-days.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { listMonthEvents } from "#server/status/overview/list-public-events.ts";
import {
  type ComponentSummary,
  findComponentSummary,
  hasDemoHistory,
} from "#server/status/overview/summarize-components.ts";
import { describeForecast } from "#server/status/rules/uptime/budget.ts";
import { summarizeLatency } from "#server/status/rules/uptime/latency.ts";
import { monthText } from "#server/status/rules/uptime/utc-calendar.ts";
import { findUnexplainedDays } from "#server/status/uptime/find-unexplained-days.ts";
import { statusPage } from "../../status-context.ts";
import { componentView, incidentView, maintenanceView, unexplainedView } from "../../views.ts";

type Props = { params: Promise<{ component: string }> };

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const [{ component }, { board, now }] = await Promise.all([params, statusPage()]);
  return { title: findComponentSummary(board, component, now)?.name ?? "Not found" };
};

const ComponentPage = async ({ params }: Props) => {
  const [{ component }, { board, now }] = await Promise.all([params, statusPage()]);
  const summary = findComponentSummary(board, component, now);
  if (!summary) notFound();
  const { incidents, maintenances } = listMonthEvents(board, now, summary.key);
  const { isMeasured, unexplained } = findUnexplainedDays(board, now, {
    month: monthText(now.getTime()),
    component: summary.key,
  });
  const latency = summarizeLatency(board).filter((one) => one.component === summary.key);
  return (
    <>
      <Freshness readAt={board.readAt} now={now} />
      <div className="card">
        <ComponentRow component={componentView(summary)} isPage note={budgetNote(summary)} />
      </div>
      {summary.budget?.isUsedUp ? <Notice tone="warn">{describeErrorBudgetPolicy([summary.name])}</Notice> : null}
      {summary.isDeployed ? null : (
        <p className="small muted">This component isn’t deployed, so it has no history and no uptime.</p>
      )}
      <Section title="This month">
        {incidents.length + maintenances.length + unexplained.length === 0 ? (
          <EmptyState title="No incidents this month">
            {isMeasured ? "No incident or maintenance started in this month." : "Nothing was measured."}
          </EmptyState>
        ) : null}
        {unexplained.length > 0 ? <UnexplainedDays days={unexplainedView(unexplained, true)} /> : null}
        {incidents.map((one) => (
          <IncidentCard key={one.event.id} incident={incidentView(one)} now={now} />
        ))}
        {maintenances.map((one) => (
          <MaintenanceCard key={one.event.id} maintenance={maintenanceView(one)} now={now} />
        ))}
      </Section>
      {latency.length > 0 ? <LatencyTable latency={latency} since={board.latency.since} /> : null}
      <p className="small">
        <a href={`/status/components/${summary.key}/feed.rss`}>RSS</a> and{" "}
        <a href={`/status/components/${summary.key}/feed.atom`}>Atom</a> for this component only.
      </p>
      <div>
        <ButtonLink href={`/status/subscribe?component=${summary.key}`} size="small">
          Get updates for this component
        </ButtonLink>
      </div>
      <AsOf now={now} hasDemoHistory={hasDemoHistory(board)} />
    </>
  );
};

const budgetNote = ({ budget }: ComponentSummary): string | null =>
  budget && !budget.isUsedUp ? describeForecast(budget.forecast) : null;

export default ComponentPage;
