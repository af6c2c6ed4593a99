import type { Metadata } from "next";
import { CheckOnReturn } from "#components/merchant/settings/processor/check-again.tsx";
import { ConnectedAccount } from "#components/merchant/settings/processor/processor-section.tsx";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { PageHead } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { processorPage } from "../processor-page.ts";

export const metadata: Metadata = { title: "Back from Stripe" };

/** Stripe redirects here from its page, even if the person didn't complete that page. */
const ProcessorReturnPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const page = await processorPage("/merchant/settings/processor/return", searchParams);
  const { merchant, view, mayConnect, reader, email } = page;
  return (
    <>
      <PageHead title="Back from Stripe">The account of {merchant.name} at Stripe.</PageHead>
      {mayConnect && view.account !== "" ? <CheckOnReturn merchantId={merchant.merchantId} /> : null}
      <ConnectedAccount view={view} merchant={merchant} email={email} mayConnect={mayConnect} reader={reader} />
      <div>
        <ButtonLink href="/merchant/settings" size="small">
          All settings
        </ButtonLink>
      </div>
    </>
  );
};

export default ProcessorReturnPage;
