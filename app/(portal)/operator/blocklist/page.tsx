import type { Metadata } from "next";
import { BlockedKeyTable } from "#components/operator/blocklist/blocked-key-table.tsx";
import { FilterForm } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field/field.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Client-key blocklist" };

const here = "/operator/blocklist";

const BlocklistPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const { api, reader, now, email, may } = await operatorPage(here, "blocked_key.list");
  const [search, after] = [searchText(params, "q"), searchText(params, "after")];
  const { keys, hasMore } = await api.operatorBlocklist.list({ search, startingAfter: after?.slice(0, 64) });
  const blockKey = may("blocked_key.add") ? (
    <ButtonLink href={`${here}/new`} variant="primary" size="small">
      Block a key
    </ButtonLink>
  ) : null;
  const isFiltered = search !== undefined;
  const isEmpty = keys.length === 0 && !isFiltered;
  return (
    <>
      <PageHead title="Client-key blocklist" act={isEmpty ? null : blockKey}>
        Client keys that are refused everywhere: in assertions, proofs, registrations, and in tokens that are bound to
        them.
      </PageHead>
      {isEmpty ? null : (
        <FilterForm action={here} filters={{ q: search }} submit="Search">
          <Field label="Thumbprint or reason" name="q" type="search" defaultValue={search ?? ""} maxLength={100} />
        </FilterForm>
      )}
      {keys.length > 0 ? (
        <BlockedKeyTable keys={keys} now={now} reader={reader} email={email} />
      ) : (
        <ListEmpty
          isFiltered={isFiltered}
          clear={here}
          clearLabel="Clear the search"
          noMatch="No blocked key matches. Enter the start of a thumbprint, or a part of a reason."
          title="No blocked keys"
          act={blockKey}
        >
          If the private key of a client leaked, block its public key here. Every process refuses it immediately.
        </ListEmpty>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(here, { q: search })}
        older={hasMore ? listAddress(here, { q: search, after: keys.at(-1)?.thumbprint }) : null}
      />
    </>
  );
};

export default BlocklistPage;
