import { ConnectButton } from "#components/merchant/settings/processor/connect-button.tsx";
import { ProcessorFrame } from "#components/merchant/settings/processor/processor-frame.tsx";
import { ProcessorAccount } from "#components/merchant/settings/processor/processor-section.tsx";
import { isContinuable } from "#components/merchant/settings/processor/processor-texts.ts";
import { Notice } from "#components/ui/notice.tsx";
import { processorMetadata, processorPage, processorTitles } from "../processor-page.ts";

const here = "/merchant/settings/processor/refresh";
const titles = { connected: "Stripe account", simulated: "Payments are simulated" };

export const generateMetadata = () => processorMetadata(here, titles);

/**
 * Stripe redirects here if its page has expired or was already opened. The person must click to open a new page. If
 * Stripe has no page on which the merchant can continue, this page shows the state of the account instead.
 */
const ProcessorRefreshPage = async () => {
  const page = await processorPage(here);
  const { merchant, view, mayConnect, reader, email } = page;
  return (
    <ProcessorFrame {...processorTitles(page, titles)}>
      {isContinuable(view) ? (
        <>
          <Notice tone="note">
            Stripe’s page has expired or was already opened. The details that you entered there are saved. Continue on a
            new page.
          </Notice>
          {mayConnect ? (
            <ConnectButton merchantId={merchant.merchantId} email={email} label="Continue" />
          ) : (
            <p className="muted small">Only an owner or admin of the team can continue.</p>
          )}
        </>
      ) : (
        <ProcessorAccount view={view} merchant={merchant} email={email} mayConnect={mayConnect} reader={reader} />
      )}
    </ProcessorFrame>
  );
};

export default ProcessorRefreshPage;
