import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EntryTokenForm } from "#components/merchant/directory/entry-token-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { maxAgentTokenUses, usualAgentScopes } from "#server/oauth/initial-tokens/agent-tokens.ts";
import { scopeMeanings } from "#server/oauth/server-metadata.ts";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "New agent token" };

const NewAgentTokenPage = async () => {
  const { merchantId, may, email, config } = await merchantPage("/merchant/directory/new-token");
  if (!may("initial_token.create")) notFound();
  return (
    <>
      <PageHead title="New agent token">
        Agents that register with the token belong to your directory entry. The token is shown once.
      </PageHead>
      <EntryTokenForm
        merchantId={merchantId}
        scopes={scopeMeanings("agent")}
        selected={usualAgentScopes}
        maxUses={maxAgentTokenUses}
        url={`${config.baseUrl}/oauth/register`}
        email={email}
      />
    </>
  );
};

export default NewAgentTokenPage;
