import type { Metadata } from "next";
import { incidentStates, isIncidentState } from "#components/format/labels/incident-labels.ts";
import { IncidentTable } from "#components/operator/incidents/incident-table.tsx";
import { TitleFilter } from "#components/operator/service/title-filter.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { statusOperatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Incidents" };

const here = "/operator/incidents";

const IncidentsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const { api, reader, now, may } = await statusOperatorPage(here);
  const [search, requested, after] = [
    searchText(params, "q", 200),
    searchText(params, "state"),
    searchId(params, "after"),
  ];
  const state = isIncidentState(requested) ? requested : undefined;
  const { incidents, hasMore } = await api.operatorStatus.incidents({ search, state, startingAfter: after });
  const filters = { q: search, state };
  const open = may("incident.open") ? (
    <ButtonLink href="/operator/incidents/new" variant="primary">
      Open an incident
    </ButtonLink>
  ) : null;
  const isFiltered = search !== undefined || state !== undefined;
  return (
    <>
      <PageHead title="Incidents" act={incidents.length > 0 || isFiltered ? open : null}>
        Incidents on the status page. Probes create drafts. A draft isn’t public until you confirm it.
      </PageHead>
      {incidents.length > 0 || isFiltered ? (
        <TitleFilter action={here} search={search} state={state} states={incidentStates} />
      ) : null}
      {incidents.length > 0 ? (
        <IncidentTable incidents={incidents} now={now} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={isFiltered}
          clear={here}
          noMatch="No incident matches. Enter a part of its title, or a complete ID."
          title="No incidents"
          act={open}
        >
          If probes detect an incident, they create a draft. You can open an incident yourself at any time.
        </ListEmpty>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(here, filters)}
        older={hasMore ? listAddress(here, { ...filters, after: incidents.at(-1)?.id }) : null}
      />
    </>
  );
};

export default IncidentsPage;
