import type { Metadata } from "next";
import { MandateTable } from "#components/operator/mandate-table.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { ListSearchForm } from "#components/portal/lists/search-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
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
      <ListSearchForm
        label="Payer’s e-mail, or mandate, client or payer ID"
        value={search ?? ""}
        maxLength={maxAddressLength}
      />
      {found === null ? (
        <EmptyState title="Search for a mandate">
          Enter a complete e-mail address or ID. Mandates are not listed without a search.
        </EmptyState>
      ) : found.mandates.length > 0 ? (
        <MandateTable mandates={found.mandates} reader={reader} />
      ) : (
        <EmptyState title="No results">No mandate matches this e-mail address or ID.</EmptyState>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(here, { q: search })}
        older={found?.hasMore ? listAddress(here, { q: search, after: found.mandates.at(-1)?.id }) : null}
      />
    </>
  );
};

export default MandatesPage;
