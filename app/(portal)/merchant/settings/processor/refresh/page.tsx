import type { Metadata } from "next";
import { ConnectButton } from "#components/merchant/settings/processor/connect-button.tsx";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { PageHead } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { processorPage } from "../processor-page.ts";

export const metadata: Metadata = { title: "Continue at Stripe" };

/** Stripe redirects here if its page has expired or was already opened. The person must click to open a new page. */
const ProcessorRefreshPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const page = await processorPage("/merchant/settings/processor/refresh", searchParams);
  const { merchant, mayConnect, email } = page;
  return (
    <>
      <PageHead title="Continue at Stripe">The account of {merchant.name} at Stripe.</PageHead>
      <Notice tone="note">
        Stripe’s page has expired or was already opened. The details that you entered there are saved. Continue on a new
        page.
      </Notice>
      {mayConnect ? (
        <ConnectButton merchantId={merchant.merchantId} email={email} label="Continue" />
      ) : (
        <p className="muted small">An owner or admin of the team connects the account.</p>
      )}
      <div>
        <ButtonLink href="/merchant/settings" size="small">
          All settings
        </ButtonLink>
      </div>
    </>
  );
};

export default ProcessorRefreshPage;
