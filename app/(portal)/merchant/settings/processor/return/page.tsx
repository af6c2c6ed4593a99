import { CheckOnReturn } from "#components/merchant/settings/processor/check-again.tsx";
import { ProcessorFrame } from "#components/merchant/settings/processor/processor-frame.tsx";
import { ProcessorAccount } from "#components/merchant/settings/processor/processor-section.tsx";
import { processorMetadata, processorPage, processorTitles } from "../processor-page.ts";

const here = "/merchant/settings/processor/return";
const titles = { connected: "Stripe account", simulated: "Processor" };

export const generateMetadata = () => processorMetadata(here, titles);

/** Stripe redirects here from its page, even if the person didn't complete that page. */
const ProcessorReturnPage = async () => {
  const page = await processorPage(here);
  const { merchant, view, mayConnect, reader, email } = page;
  return (
    <ProcessorFrame {...processorTitles(page, titles)}>
      {view.isConnectable && mayConnect && view.account !== "" ? (
        <CheckOnReturn merchantId={merchant.merchantId} />
      ) : null}
      <ProcessorAccount view={view} merchant={merchant} email={email} mayConnect={mayConnect} reader={reader} />
    </ProcessorFrame>
  );
};

export default ProcessorReturnPage;
