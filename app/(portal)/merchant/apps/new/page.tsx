import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { MerchantTokenForm } from "#components/merchant/apps/merchant-token-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { scopeMeanings } from "#server/oauth/server-metadata.ts";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "New initial access token" };

const NewTokenPage = async () => {
  const { merchantId, may, email, config } = await merchantPage("/merchant/apps/new");
  if (!may("initial_token.create")) notFound();
  return (
    <>
      <PageHead title="New initial access token">
        The holder of the token can register apps for you, with the scopes that you select. The token is shown once.
      </PageHead>
      <MerchantTokenForm
        merchantId={merchantId}
        scopes={scopeMeanings("merchant")}
        url={`${config.baseUrl}/oauth/register`}
        email={email}
      />
    </>
  );
};

export default NewTokenPage;
