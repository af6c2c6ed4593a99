import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { pageTitle } from "#components/layout/page-title.ts";
import { MaintenanceCard } from "#components/status/events/maintenance-card.tsx";
import { Freshness } from "#components/status/freshness.tsx";
import { listPublicEvents } from "#server/status/overview/list-public-events.ts";
import { statusPage } from "../../status-context.ts";
import { maintenanceView } from "../../views.ts";

type Props = { params: Promise<{ id: string }> };

const find = async ({ params }: Props) => {
  const [{ id }, page] = [await params, await statusPage()];
  return { ...page, told: listPublicEvents(page.board).maintenances.find(({ event }) => event.id === id) };
};

export const generateMetadata = async (props: Props): Promise<Metadata> => ({
  title: pageTitle((await find(props)).told?.event.title ?? "Not found"),
});

const MaintenancePage = async (props: Props) => {
  const { told, board, now } = await find(props);
  if (!told) notFound();
  return (
    <>
      <Freshness readAt={board.readAt} now={now} />
      <MaintenanceCard maintenance={maintenanceView(told)} now={now} isPage />
    </>
  );
};

export default MaintenancePage;
