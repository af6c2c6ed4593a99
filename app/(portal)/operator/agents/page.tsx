import type { Metadata } from "next";
import { RevokeInitialToken } from "#components/operator/revoke-initial-token.tsx";
import { FilterForm, SearchField } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { TokenTable } from "#components/portal/tokens/token-table.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Agent tokens" };

const here = "/operator/agents";

const AgentTokensPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const [search, after] = [searchText(params, "q"), searchId(params, "after")];
  const { api, reader, now, may } = await operatorPage(here);
  const { tokens, hasMore } = await api.operatorAgents.tokens({ search, startingAfter: after });
  const showsSearch = tokens.length > 0 || search !== undefined;
  const newToken = may("agent_token.create") ? (
    <ButtonLink href={`${here}/new`} variant="primary" size="small">
      New token
    </ButtonLink>
  ) : null;
  return (
    <>
      <PageHead title="Agent tokens" act={showsSearch ? newToken : null}>
        Initial access tokens. The holder of a token can register agents with it.
      </PageHead>
      {showsSearch ? (
        <FilterForm action={here} filters={{ q: search }} submit="Search">
          <SearchField label="Search tokens" value={search} hint="A token ID, or a part of a name." />
        </FilterForm>
      ) : null}
      {tokens.length > 0 ? (
        <TokenTable
          tokens={tokens}
          now={now}
          reader={reader}
          act={
            may("agent_token.revoke")
              ? ({ id, label }) => <RevokeInitialToken tokenId={id} merchantId={null} name={label ?? id} />
              : null
          }
        />
      ) : (
        <ListEmpty
          isFiltered={search !== undefined}
          clear={here}
          noMatch="No token has this ID, or this text in its name."
          clearLabel="Clear the search"
          title="No tokens yet"
          act={newToken}
        >
          Create a token for a developer who wants to register an agent.
        </ListEmpty>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(here, { q: search })}
        older={hasMore ? listAddress(here, { q: search, after: tokens.at(-1)?.id }) : null}
      />
    </>
  );
};

export default AgentTokensPage;
