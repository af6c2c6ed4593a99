import type { Metadata } from "next";
import { AgentTokenForm } from "#components/operator/agent-token-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { scopeMeanings } from "#server/oauth/server-metadata.ts";
import { operatorPage } from "../../operator-context.ts";

export const metadata: Metadata = { title: "New agent token" };

const NewAgentTokenPage = async () => {
  const { email, config } = await operatorPage("/operator/agents/new", "agent_token.create");
  return (
    <>
      <PageHead title="New agent token">
        The holder of the token can register agents, with the scopes that you select. The token is shown once.
      </PageHead>
      <AgentTokenForm scopes={scopeMeanings("agent")} url={`${config.baseUrl}/oauth/register`} email={email} />
    </>
  );
};

export default NewAgentTokenPage;
