import type { Metadata } from "next";
import { ScheduleMaintenanceForm } from "#components/operator/maintenance/schedule-maintenance-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { newId } from "#server/kernel/ids.ts";
import { statusOperatorPage } from "../../operator-context.ts";

export const metadata: Metadata = { title: "Announce maintenance" };

const hour = 3600 * 1000;
/** Announced sooner it counts against the uptime. */
const noticeHours = 73;

/** The full hour, so many hours from now, as a form's field has it. */
const fieldOf = (now: Date, hours: number): string =>
  new Date(Math.ceil(now.getTime() / hour + hours) * hour).toISOString().slice(0, 16);

const NewMaintenancePage = async () => {
  const { api, now } = await statusOperatorPage("/operator/maintenance/new");
  return (
    <>
      <PageHead title="Announce maintenance">
        It is on the status page at once, and begins and ends by itself. Announced 72 hours ahead, it doesn’t count
        against the uptime.
      </PageHead>
      <ScheduleMaintenanceForm
        ids={{ maintenanceId: newId("mtn"), updateId: newId("upd") }}
        components={await api.operatorStatus.components()}
        window={{ from: fieldOf(now, noticeHours), to: fieldOf(now, noticeHours + 1) }}
      />
    </>
  );
};

export default NewMaintenancePage;
