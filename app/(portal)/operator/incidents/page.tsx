import type { Metadata } from "next";
import { IncidentTable } from "#components/operator/incidents/incident-table.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { statusOperatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Incidents" };

const IncidentsPage = async () => {
  const { api, reader, now, may } = await statusOperatorPage("/operator/incidents");
  const incidents = await api.operatorStatus.incidents();
  const open = may("incident.open") ? (
    <ButtonLink href="/operator/incidents/new" variant="primary">
      Open an incident
    </ButtonLink>
  ) : null;
  return (
    <>
      <PageHead title="Incidents" act={incidents.length > 0 ? open : null}>
        Incidents on the status page. Probes create drafts. A draft isn’t public until you confirm it.
      </PageHead>
      {incidents.length > 0 ? (
        <IncidentTable incidents={incidents} now={now} reader={reader} />
      ) : (
        <EmptyState title="No incidents" act={open}>
          If probes detect an incident, they create a draft. You can open an incident yourself at any time.
        </EmptyState>
      )}
    </>
  );
};

export default IncidentsPage;
