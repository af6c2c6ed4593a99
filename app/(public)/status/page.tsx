import type { Metadata } from "next";
import { describeErrorBudgetPolicy } from "#components/format/labels/status-labels.ts";
import { Section } from "#components/portal/page-head.tsx";
import { Banner } from "#components/status/banner.tsx";
import { ComponentList } from "#components/status/component-list.tsx";
import { IncidentCard } from "#components/status/events/incident-card.tsx";
import { MaintenanceCard } from "#components/status/events/maintenance-card.tsx";
import { AsOf, Freshness } from "#components/status/freshness.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { listCurrentEvents, type PublicMaintenance } from "#server/status/overview/list-public-events.ts";
import { hasDemoHistory, summarizeComponents } from "#server/status/overview/summarize-components.ts";
import { bannerText } from "./banner-text.ts";
import { statusPage } from "./status-context.ts";
import { componentView, incidentView, maintenanceView } from "./views.ts";

export const metadata: Metadata = { title: { absolute: "Status · Paygrant" } };

const incidentCount = (count: number): string | null =>
  count === 0 ? null : `${count} active incident${count === 1 ? "" : "s"}`;

const OverviewPage = async () => {
  const { board, now } = await statusPage();
  const components = summarizeComponents(board, now);
  const { incidents, maintenances } = listCurrentEvents(board, now);
  const { title, text, tone } = bannerText(components, now);
  const reliability = describeErrorBudgetPolicy(
    components.flatMap(({ name, budget }) => (budget?.isUsedUp ? [name] : [])),
  );
  // Scheduled maintenance is shown below the components.
  const cardsOf = (isIncluded: (maintenance: PublicMaintenance) => boolean) =>
    maintenances
      .filter(isIncluded)
      .map((one) => <MaintenanceCard key={one.event.id} maintenance={maintenanceView(one)} now={now} />);
  const scheduled = cardsOf(({ event }) => event.state === "scheduled");
  return (
    <>
      <Freshness readAt={board.readAt} now={now} />
      <Banner title={title} tone={tone} pill={incidentCount(incidents.length)}>
        {text}
      </Banner>
      {reliability ? <Notice tone="warn">{reliability}</Notice> : null}
      {incidents.map((one) => (
        <IncidentCard key={one.event.id} incident={incidentView(one)} now={now} />
      ))}
      {cardsOf(({ event }) => event.state !== "scheduled")}
      <ComponentList components={components.map(componentView)} />
      {scheduled.length > 0 ? <Section title="Scheduled maintenance">{scheduled}</Section> : null}
      <AsOf now={now} hasDemoHistory={hasDemoHistory(board)} />
    </>
  );
};

export default OverviewPage;
