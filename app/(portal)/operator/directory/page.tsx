import type { Metadata } from "next";
import { statusLabels } from "#components/directory/directory-labels.ts";
import { EntryTable } from "#components/operator/directory/entry-table.tsx";
import { FilterForm } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Field, Select } from "#components/ui/field/field.tsx";
import { statuses } from "#server/directory/participants/participant.wire.ts";
import { orNotFound } from "../../portal-context.ts";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Directory" };

const here = "/operator/directory";

const ListServer = () => (
  <ButtonLink href={`${here}/new`} size="small" variant="primary">
    Add authorization server
  </ButtonLink>
);

const OperatorDirectoryPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const { api, reader, may } = await operatorPage(here, "directory_entry.list");
  const [search, requested, after] = [
    searchText(params, "q", 200),
    searchText(params, "status"),
    searchText(params, "after", 200),
  ];
  const status = statuses.find((one) => one === requested);
  const { entries, nextCursor } = await orNotFound(api.operatorDirectory.list({ search, status, cursor: after }));
  const filters = { q: search, status };
  const isFiltered = search !== undefined || status !== undefined;
  return (
    <>
      <PageHead title="Directory" act={may("directory_entry.list_server") ? <ListServer /> : null}>
        The entries of the directory, the latest change first. The clients of a suspended entry are shown as not
        verified.
      </PageHead>
      <FilterForm action={here} filters={filters}>
        <Field
          label="Name, domain or ID"
          name="q"
          type="search"
          defaultValue={search ?? ""}
          maxLength={200}
          hint="The start of any word of the name, or a complete verified domain, issuer or ID."
        />
        <Select label="Status" name="status" defaultValue={status ?? ""}>
          <option value="">All statuses</option>
          {statuses.map((value) => (
            <option key={value} value={value}>
              {statusLabels[value]?.label ?? value}
            </option>
          ))}
        </Select>
      </FilterForm>
      {entries.length > 0 ? (
        <EntryTable entries={entries} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={isFiltered}
          clear={here}
          noMatch="No entry matches. Enter the start of any word of the name, or a complete verified domain, issuer or ID."
          title="No entries yet"
        >
          Participants of the directory are listed here.
        </ListEmpty>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(here, filters)}
        older={nextCursor === null ? null : listAddress(here, { ...filters, after: nextCursor })}
      />
    </>
  );
};

export default OperatorDirectoryPage;
