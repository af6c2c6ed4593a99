import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { postmortemLabel } from "#components/format/labels/incident-labels.ts";
import { PostmortemForm } from "#components/operator/incidents/postmortem-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { orNotFound } from "../../../../portal-context.ts";
import { statusOperatorPage } from "../../../operator-context.ts";

export const metadata: Metadata = { title: "Postmortem" };

const PostmortemPage = async ({ params }: { params: Promise<{ incidentId: string }> }) => {
  const { incidentId } = await params;
  const { api, reader } = await statusOperatorPage(
    `/operator/incidents/${encodeURIComponent(incidentId)}/postmortem`,
    "postmortem.write",
  );
  const incident = await orNotFound(api.operatorStatus.incident({ incidentId: incidentId.slice(0, 64) }));
  if (incident.state !== "resolved") notFound();
  const status = postmortemLabel(incident.postmortem, reader.locale);
  return (
    <>
      <PageHead title={`Postmortem: ${incident.title}`}>{status ? `${status.label}.` : null}</PageHead>
      <PostmortemForm incidentId={incident.id} postmortem={incident.writtenPostmortem} />
    </>
  );
};

export default PostmortemPage;
