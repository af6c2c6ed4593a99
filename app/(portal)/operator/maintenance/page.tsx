import type { Metadata } from "next";
import { MaintenanceTable } from "#components/operator/maintenance/maintenance-table.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { statusOperatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Maintenance" };

const MaintenancePage = async () => {
  const { api, reader, may } = await statusOperatorPage("/operator/maintenance");
  const maintenances = await api.operatorMaintenance.list();
  const announce = may("maintenance.schedule") ? (
    <ButtonLink href="/operator/maintenance/new" variant="primary">
      Announce maintenance
    </ButtonLink>
  ) : null;
  return (
    <>
      <PageHead title="Maintenance" act={maintenances.length > 0 ? announce : null}>
        If maintenance is announced at least 72 hours ahead, up to four hours a month don’t count against the uptime.
      </PageHead>
      {maintenances.length > 0 ? (
        <MaintenanceTable maintenances={maintenances} reader={reader} />
      ) : (
        <EmptyState title="No maintenance" act={announce}>
          Announced maintenance is published on the status page, and subscribers are notified.
        </EmptyState>
      )}
    </>
  );
};

export default MaintenancePage;
