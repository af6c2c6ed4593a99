import type { Metadata } from "next";
import { ScheduleMaintenanceForm } from "#components/operator/maintenance/schedule-maintenance-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { newId } from "#server/kernel/ids.ts";
import { statusOperatorPage } from "../../operator-context.ts";

export const metadata: Metadata = { title: "Announce maintenance" };

const hour = 3600 * 1000;
/**
 * Only maintenance that is announced at least 72 hours ahead is excluded from the uptime. This default leaves an hour
 * for filling in the form.
 */
const noticeHours = 73;

/** The first full hour that is at least `hours` hours from now, as the value of a form field. */
const fieldValue = (now: Date, hours: number): string =>
  new Date(Math.ceil(now.getTime() / hour + hours) * hour).toISOString().slice(0, 16);

const NewMaintenancePage = async () => {
  const { api, now } = await statusOperatorPage("/operator/maintenance/new", "maintenance.schedule");
  return (
    <>
      <PageHead title="Announce maintenance">
        The maintenance is published on the status page immediately. It starts and ends automatically. If you announce
        it at least 72 hours ahead, up to four hours a month don’t count against the uptime.
      </PageHead>
      <ScheduleMaintenanceForm
        ids={{ maintenanceId: newId("mtn"), updateId: newId("upd") }}
        components={await api.operatorStatus.components()}
        window={{ from: fieldValue(now, noticeHours), to: fieldValue(now, noticeHours + 1) }}
      />
    </>
  );
};

export default NewMaintenancePage;
