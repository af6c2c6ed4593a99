import type { Metadata } from "next";
import { operatorAttention } from "#components/operator/operator-attention.ts";
import { Attention } from "#components/portal/attention.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { operatorPage } from "./operator-context.ts";

export const metadata: Metadata = { title: { absolute: "Home · Operator · Paygrant" } };

const HomePage = async () => {
  const { api, config } = await operatorPage("/operator");
  const items = operatorAttention(await api.operator.attention());
  return (
    <>
      <PageHead title="Home">
        Tasks that need attention {config.environment === "sandbox" ? "in the sandbox" : "in production"}.
      </PageHead>
      {items.length > 0 ? (
        <Attention items={items} />
      ) : (
        <Notice tone="good">
          Nothing needs attention. No charges need review, no e-mails failed, and the last run of every job succeeded.
        </Notice>
      )}
    </>
  );
};

export default HomePage;
