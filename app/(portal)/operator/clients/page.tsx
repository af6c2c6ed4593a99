import type { Metadata } from "next";
import { ClientTable } from "#components/operator/clients/client-table.tsx";
import { clientKinds, clientStates, isClientKind, isClientState } from "#components/operator/labels/client-labels.ts";
import { FilterForm } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { Field, Select } from "#components/ui/field/field.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Clients" };

const here = "/operator/clients";

const ClientsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const { api, reader } = await operatorPage(here, "oauth_client.list");
  const [requestedKind, requestedState] = [searchText(params, "kind"), searchText(params, "state")];
  const [search, after] = [searchText(params, "q", 200), searchId(params, "after")];
  const kind = isClientKind(requestedKind) ? requestedKind : undefined;
  const state = isClientState(requestedState) ? requestedState : undefined;
  const { clients, hasMore } = await api.operatorClients.list({ search, kind, state, startingAfter: after });
  const filters = { q: search, kind, state };
  return (
    <>
      <PageHead title="Clients">
        All OAuth clients: agents and merchants’ apps. Newest first. The results of a search by name are sorted by name.
      </PageHead>
      <FilterForm action={here} filters={filters}>
        <Field
          label="Name or ID"
          name="q"
          type="search"
          defaultValue={search ?? ""}
          maxLength={200}
          hint="The start of a name, or a complete client or merchant ID."
        />
        <Select label="Kind" name="kind" defaultValue={kind ?? ""}>
          <option value="">All kinds</option>
          {Object.entries(clientKinds).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        <Select label="Status" name="state" defaultValue={state ?? ""}>
          <option value="">All statuses</option>
          {Object.entries(clientStates).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </FilterForm>
      {clients.length > 0 ? (
        <ClientTable clients={clients} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={Object.values(filters).some((filter) => filter !== undefined)}
          clear={here}
          noMatch="No client matches. Enter the start of its name, or a complete ID."
          title="No clients yet"
        >
          Registered agents and merchants’ apps are listed here.
        </ListEmpty>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(here, filters)}
        older={hasMore ? listAddress(here, { ...filters, after: clients.at(-1)?.id }) : null}
      />
    </>
  );
};

export default ClientsPage;
