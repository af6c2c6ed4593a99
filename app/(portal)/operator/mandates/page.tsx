import type { Metadata } from "next";
import { MandateTable } from "#components/operator/mandate-table.tsx";
import { addressOf, idOf, type Params, textOf } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { SearchForm } from "#components/portal/lists/search-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Mandates" };

const here = "/operator/mandates";
/** of an e-mail (RFC 5321 §4.5.3.1.3) */
const longestAddress = 254;

const MandatesPage = async ({ searchParams }: { searchParams: Promise<Params> }) => {
  const params = await searchParams;
  const { api, reader } = await operatorPage(here);
  const [search, after] = [textOf(params, "q", longestAddress), idOf(params, "after")];
  const found = search === undefined ? null : await api.operatorMandates.list({ search, startingAfter: after });
  return (
    <>
      <PageHead title="Mandates">What payers granted. Look for one to suspend or revoke it.</PageHead>
      <SearchForm
        label="Payer’s e-mail, or id of mandate, client or payer"
        value={search ?? ""}
        longest={longestAddress}
      />
      {found === null ? (
        <EmptyState title="Whose mandate?">
          Search by the whole address or id: nobody’s mandates are listed here.
        </EmptyState>
      ) : found.mandates.length > 0 ? (
        <MandateTable mandates={found.mandates} reader={reader} />
      ) : (
        <EmptyState title="Nothing matches">
          No mandate has this id, and nobody with this address granted one.
        </EmptyState>
      )}
      <Pager
        newest={after === undefined ? null : addressOf(here, { q: search })}
        older={found?.hasMore ? addressOf(here, { q: search, after: found.mandates.at(-1)?.id }) : null}
      />
    </>
  );
};

export default MandatesPage;
