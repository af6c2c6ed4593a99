import type { Metadata } from "next";
import { cache } from "react";
import { formatDateTime, formatDateTimeRange } from "#components/format/dates.ts";
import { maintenanceStates } from "#components/format/labels/maintenance-labels.ts";
import { formatList } from "#components/format/text.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { UpdateTimeline } from "#components/operator/incidents/update-timeline.tsx";
import { MaintenanceActs } from "#components/operator/maintenance/maintenance-acts.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { Pill } from "#components/ui/pill.tsx";
import { newId } from "#server/kernel/ids.ts";
import { orNotFound } from "../../../portal-context.ts";
import { statusOperatorPage } from "../../operator-context.ts";

type Props = { params: Promise<{ maintenanceId: string }> };

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (maintenanceId: string) => {
  const page = await statusOperatorPage(`/operator/maintenance/${encodeURIComponent(maintenanceId)}`);
  return {
    ...page,
    maintenance: await orNotFound(page.api.operatorMaintenance.get({ maintenanceId: maintenanceId.slice(0, 64) })),
  };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { maintenance } = await load((await params).maintenanceId);
  return { title: pageTitle(`Maintenance: ${maintenance.title}`) };
};

const MaintenancePage = async ({ params }: Props) => {
  const { reader, now, may, maintenance } = await load((await params).maintenanceId);
  const { state } = maintenance;
  const when = (text: string) => formatDateTime(new Date(text), reader);
  return (
    <>
      <PageHead title={maintenance.title} />
      {may("maintenance.publish") && (state === "scheduled" || state === "in_progress") ? (
        <MaintenanceActs
          maintenanceId={maintenance.id}
          updateId={newId("upd")}
          state={state}
          isCancellable={maintenance.isCancellable}
        />
      ) : null}
      <Facts>
        <Fact name="Status">
          <Pill tone={maintenanceStates[state].tone}>{maintenanceStates[state].label}</Pill>
        </Fact>
        <Fact name="Components">{formatList(maintenance.components)}</Fact>
        <Fact name="Announced">{when(maintenance.announcedAt)}</Fact>
        <Fact name="Window">{formatDateTimeRange(new Date(maintenance.from), new Date(maintenance.to), reader)}</Fact>
        {maintenance.startedAt ? <Fact name="Began">{when(maintenance.startedAt)}</Fact> : null}
        {maintenance.endedAt ? <Fact name="Ended">{when(maintenance.endedAt)}</Fact> : null}
        <Fact name="Maintenance ID">{maintenance.id}</Fact>
      </Facts>
      <Section title="Updates">
        <UpdateTimeline
          updates={maintenance.updates.map((update) => ({ ...update, ...maintenanceStates[update.state] }))}
          now={now}
          reader={reader}
        />
      </Section>
      <div>
        <ButtonLink href="/operator/maintenance" size="small">
          All maintenance
        </ButtonLink>
      </div>
    </>
  );
};

export default MaintenancePage;
