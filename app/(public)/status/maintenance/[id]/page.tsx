import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { pageTitle } from "#components/layout/page-title.ts";
import { MaintenanceCard } from "#components/status/events/maintenance-card.tsx";
import { Freshness } from "#components/status/freshness.tsx";
import { listPublicEvents } from "#server/status/overview/list-public-events.ts";
import { statusPage } from "../../status-context.ts";
import { maintenanceView } from "../../views.ts";

type Props = { params: Promise<{ id: string }> };

const load = async ({ params }: Props) => {
  const [{ id }, page] = await Promise.all([params, statusPage()]);
  return { ...page, found: listPublicEvents(page.board).maintenances.find(({ event }) => event.id === id) };
};

export const generateMetadata = async (props: Props): Promise<Metadata> => ({
  title: pageTitle((await load(props)).found?.event.title ?? "Not found"),
});

const MaintenancePage = async (props: Props) => {
  const { found, board, now } = await load(props);
  if (!found) notFound();
  return (
    <>
      <Freshness readAt={board.readAt} now={now} />
      <MaintenanceCard maintenance={maintenanceView(found)} now={now} isPage />
    </>
  );
};

export default MaintenancePage;
