import type { Metadata } from "next";
import { BlockKeyForm } from "#components/operator/blocklist/block-key-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { operatorPage } from "../../operator-context.ts";

export const metadata: Metadata = { title: "Block a key" };

const BlockKeyPage = async () => {
  const { email } = await operatorPage("/operator/blocklist/new", "blocked_key.add");
  return (
    <>
      <PageHead title="Block a key">
        First, check which clients have the key. After you block the key, it is refused everywhere.
      </PageHead>
      <BlockKeyForm email={email} />
    </>
  );
};

export default BlockKeyPage;
