import type { Metadata } from "next";
import { OpenIncidentForm } from "#components/operator/incidents/open-incident-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { newId } from "#server/kernel/ids.ts";
import { statusOperatorPage } from "../../operator-context.ts";

export const metadata: Metadata = { title: "Open an incident" };

const NewIncidentPage = async () => {
  const { api } = await statusOperatorPage("/operator/incidents/new", "incident.open");
  return (
    <>
      <PageHead title="Open an incident">
        The incident is published on the status page immediately, and subscribers are notified. If you don’t set the
        state of a component, the component keeps its measured state.
      </PageHead>
      <OpenIncidentForm
        ids={{ incidentId: newId("inc"), updateId: newId("upd") }}
        components={await api.operatorStatus.components()}
      />
    </>
  );
};

export default NewIncidentPage;
