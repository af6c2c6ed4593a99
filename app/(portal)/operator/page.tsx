import type { Metadata } from "next";
import { operatorAttention } from "#components/operator/operator-attention.ts";
import { Attention } from "#components/portal/attention.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { operatorPage } from "./operator-context.ts";

export const metadata: Metadata = { title: "Operator" };

const HomePage = async () => {
  const { api, config } = await operatorPage("/operator");
  const items = operatorAttention(await api.operator.attention());
  return (
    <>
      <PageHead title="Home">
        What needs attention {config.environment === "sandbox" ? "in the sandbox" : "in production"}.
      </PageHead>
      {items.length > 0 ? (
        <Attention items={items} />
      ) : (
        <Notice tone="good">
          Nothing waits for you: every charge has its outcome or is looked up, no mail was given up, and every job’s
          last run went well.
        </Notice>
      )}
    </>
  );
};

export default HomePage;
