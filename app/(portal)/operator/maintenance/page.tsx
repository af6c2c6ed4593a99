import type { Metadata } from "next";
import { isMaintenanceState, maintenanceStates } from "#components/format/labels/maintenance-labels.ts";
import { MaintenanceTable } from "#components/operator/maintenance/maintenance-table.tsx";
import { TitleFilter } from "#components/operator/service/title-filter.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { statusOperatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Maintenance" };

const here = "/operator/maintenance";

const MaintenancePage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const { api, reader, may } = await statusOperatorPage(here);
  const [search, requested, after] = [
    searchText(params, "q", 200),
    searchText(params, "state"),
    searchId(params, "after"),
  ];
  const state = isMaintenanceState(requested) ? requested : undefined;
  const { maintenances, hasMore } = await api.operatorMaintenance.list({ search, state, startingAfter: after });
  const filters = { q: search, state };
  const announce = may("maintenance.schedule") ? (
    <ButtonLink href="/operator/maintenance/new" variant="primary">
      Announce maintenance
    </ButtonLink>
  ) : null;
  const isFiltered = search !== undefined || state !== undefined;
  return (
    <>
      <PageHead title="Maintenance" act={maintenances.length > 0 || isFiltered ? announce : null}>
        If maintenance is announced at least 72 hours ahead, up to four hours a month don’t count against the uptime.
      </PageHead>
      {maintenances.length > 0 || isFiltered ? (
        <TitleFilter action={here} search={search} state={state} states={maintenanceStates} />
      ) : null}
      {maintenances.length > 0 ? (
        <MaintenanceTable maintenances={maintenances} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={isFiltered}
          clear={here}
          noMatch="No maintenance matches. Enter a part of its title, or a complete ID."
          title="No maintenance"
          act={announce}
        >
          Announced maintenance is published on the status page, and subscribers are notified.
        </ListEmpty>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(here, filters)}
        older={hasMore ? listAddress(here, { ...filters, after: maintenances.at(-1)?.id }) : null}
      />
    </>
  );
};

export default MaintenancePage;
