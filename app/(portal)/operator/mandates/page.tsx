import type { Metadata } from "next";
import { MandateTable } from "#components/operator/mandate-table.tsx";
import { FilterForm, SearchField } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Mandates" };

const here = "/operator/mandates";
/** The maximum length of an e-mail address (RFC 5321 §4.5.3.1.3). */
const maxAddressLength = 254;

const MandatesPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const { api, reader } = await operatorPage(here);
  const [search, after] = [searchText(params, "q", maxAddressLength), searchId(params, "after")];
  const found = search === undefined ? null : await api.operatorMandates.list({ search, startingAfter: after });
  return (
    <>
      <PageHead title="Mandates">Search for a mandate to suspend or revoke it.</PageHead>
      <FilterForm action={here} filters={{ q: search }} submit="Search">
        <SearchField label="Payer’s e-mail, payee’s name, or ID" value={search} maxLength={maxAddressLength} />
      </FilterForm>
      {found?.isCut ? (
        <Notice tone="warn">
          Many payers or payees match this text. The list shows only the mandates of the first 50 payers and 50 payees.
          Enter more of the address or of the name.
        </Notice>
      ) : null}
      {found === null ? (
        <EmptyState title="Search for a mandate">
          Enter the start of an e-mail address, a part of a payee’s name, or the complete ID of a mandate, payer, payee
          or client. Mandates are not listed without a search.
        </EmptyState>
      ) : found.mandates.length > 0 ? (
        <MandateTable mandates={found.mandates} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered
          clear={here}
          noMatch="No mandate matches. Enter the start of an e-mail address, a part of a payee’s name, or a complete ID."
          clearLabel="Clear the search"
          title="No mandates"
        >
          Mandates are listed after a search.
        </ListEmpty>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(here, { q: search })}
        older={found?.hasMore ? listAddress(here, { q: search, after: found.mandates.at(-1)?.id }) : null}
      />
    </>
  );
};

export default MandatesPage;
