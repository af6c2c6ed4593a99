import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { pageTitle } from "#components/layout/page-title.ts";
import { IncidentCard } from "#components/status/events/incident-card.tsx";
import { PostmortemDue, PostmortemText } from "#components/status/events/postmortem.tsx";
import { Freshness } from "#components/status/freshness.tsx";
import { listPublicEvents } from "#server/status/overview/list-public-events.ts";
import { postmortemStatusOf } from "#server/status/rules/incidents/postmortem-status.ts";
import { statusPage } from "../../status-context.ts";
import { incidentView } from "../../views.ts";

type Props = { params: Promise<{ id: string }> };

const find = async ({ params }: Props) => {
  const [{ id }, page] = [await params, await statusPage()];
  return { ...page, told: listPublicEvents(page.board).incidents.find(({ event }) => event.id === id) };
};

export const generateMetadata = async (props: Props): Promise<Metadata> => ({
  title: pageTitle((await find(props)).told?.event.title ?? "Not found"),
});

const IncidentPage = async (props: Props) => {
  const { told, board, now } = await find(props);
  if (!told) notFound();
  const { postmortem } = told.event;
  const standing = postmortemStatusOf(told.event, now);
  return (
    <>
      <Freshness readAt={board.readAt} now={now} />
      <IncidentCard incident={incidentView(told)} now={now} isPage />
      {standing.kind === "due" || standing.kind === "overdue" ? (
        <PostmortemDue dueOn={standing.dueOn} isOverdue={standing.kind === "overdue"} />
      ) : null}
      {standing.kind === "published" && postmortem ? (
        <PostmortemText postmortem={postmortem} publishedAt={standing.at} now={now} />
      ) : null}
    </>
  );
};

export default IncidentPage;
