import type { Metadata } from "next";
import { MandateTable } from "#components/operator/mandate-table.tsx";
import { FilterForm, SearchField } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
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
  const { mandates, hasMore, isCut } = await api.operatorMandates.list({ search, startingAfter: after });
  return (
    <>
      <PageHead title="Mandates">
        The mandates of all payers. If your role allows it, you can suspend or revoke a mandate on its page.
      </PageHead>
      {mandates.length > 0 || search !== undefined ? (
        <FilterForm action={here} filters={{ q: search }} submit="Search">
          <SearchField label="Payer’s e-mail, payee’s name, or ID" value={search} maxLength={maxAddressLength} />
        </FilterForm>
      ) : null}
      {isCut ? (
        <Notice tone="warn">
          Many payers or payees match this text. The list shows only the mandates of the first 50 payers and 50 payees.
          Enter more of the address or of the name.
        </Notice>
      ) : null}
      {mandates.length > 0 ? (
        <MandateTable mandates={mandates} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={search !== undefined}
          clear={here}
          noMatch="No mandate matches. Enter the start of an e-mail address, a part of a payee’s name, or a complete ID."
          clearLabel="Clear the search"
          title="No mandates"
        >
          A mandate is listed as soon as a payer has approved it.
        </ListEmpty>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(here, { q: search })}
        older={hasMore ? listAddress(here, { q: search, after: mandates.at(-1)?.id }) : null}
      />
    </>
  );
};

export default MandatesPage;
