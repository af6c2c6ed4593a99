import type { Metadata } from "next";
import { AgentTokenForm } from "#components/operator/agent-token-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { scopeMeanings } from "#server/oauth/server-metadata.ts";
import { operatorPage } from "../../operator-context.ts";

export const metadata: Metadata = { title: "New token for agents" };

const NewAgentTokenPage = async () => {
  const { email, config } = await operatorPage("/operator/agents/new");
  return (
    <>
      <PageHead title="New token for agents">
        Whoever holds it can register agents, within what you choose here. It is shown once, when it is made.
      </PageHead>
      <AgentTokenForm scopes={scopeMeanings("agent")} url={`${config.baseUrl}/oauth/register`} email={email} />
    </>
  );
};

export default NewAgentTokenPage;
