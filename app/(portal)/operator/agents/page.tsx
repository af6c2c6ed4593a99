import type { Metadata } from "next";
import { RevokeInitialToken } from "#components/operator/revoke-initial-token.tsx";
import { listAddress, type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { TokenTable } from "#components/portal/tokens/token-table.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Agent tokens" };

const here = "/operator/agents";

const AgentTokensPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const after = searchId(await searchParams, "after");
  const { api, reader, now, may } = await operatorPage(here);
  const { tokens, hasMore } = await api.operatorAgents.tokens({ startingAfter: after });
  const newToken = may("agent_token.create") ? (
    <ButtonLink href={`${here}/new`} variant="primary" size="small">
      New token
    </ButtonLink>
  ) : null;
  return (
    <>
      <PageHead title="Agent tokens" act={tokens.length > 0 ? newToken : null}>
        Initial access tokens. The holder of a token can register agents with it.
      </PageHead>
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
        <EmptyState title="No tokens yet" act={newToken}>
          Create a token for a developer who wants to register an agent.
        </EmptyState>
      )}
      <Pager
        newest={after === undefined ? null : here}
        older={hasMore ? listAddress(here, { after: tokens.at(-1)?.id }) : null}
      />
    </>
  );
};

export default AgentTokensPage;
