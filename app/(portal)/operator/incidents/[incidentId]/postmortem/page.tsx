import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { postmortemLabel } from "#components/format/labels/incident-labels.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { PostmortemForm } from "#components/operator/incidents/postmortem-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { orNotFound } from "../../../../portal-context.ts";
import { statusOperatorPage } from "../../../operator-context.ts";

type Props = { params: Promise<{ incidentId: string }> };

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (incidentId: string) => {
  const page = await statusOperatorPage(
    `/operator/incidents/${encodeURIComponent(incidentId)}/postmortem`,
    "postmortem.write",
  );
  return {
    ...page,
    incident: await orNotFound(page.api.operatorStatus.incident({ incidentId: incidentId.slice(0, 64) })),
  };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { incident } = await load((await params).incidentId);
  return { title: pageTitle(`Postmortem: ${incident.title}`) };
};

const PostmortemPage = async ({ params }: Props) => {
  const { reader, incident } = await load((await params).incidentId);
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
