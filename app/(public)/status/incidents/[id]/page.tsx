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

const load = async ({ params }: Props) => {
  const [{ id }, page] = await Promise.all([params, statusPage()]);
  return { ...page, found: listPublicEvents(page.board).incidents.find(({ event }) => event.id === id) };
};

export const generateMetadata = async (props: Props): Promise<Metadata> => ({
  title: pageTitle((await load(props)).found?.event.title ?? "Not found"),
});

const IncidentPage = async (props: Props) => {
  const { found, board, now } = await load(props);
  if (!found) notFound();
  const { postmortem } = found.event;
  const status = postmortemStatusOf(found.event, now);
  return (
    <>
      <Freshness readAt={board.readAt} now={now} />
      <IncidentCard incident={incidentView(found)} now={now} isPage />
      {status.kind === "due" || status.kind === "overdue" ? (
        <PostmortemDue dueOn={status.dueOn} isOverdue={status.kind === "overdue"} />
      ) : null}
      {status.kind === "published" && postmortem ? (
        <PostmortemText postmortem={postmortem} publishedAt={status.at} now={now} />
      ) : null}
    </>
  );
};

export default IncidentPage;
