import { CheckOnReturn } from "#components/merchant/settings/processor/check-again.tsx";
import { ProcessorFrame } from "#components/merchant/settings/processor/processor-frame.tsx";
import { ProcessorAccount } from "#components/merchant/settings/processor/processor-section.tsx";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { processorMetadata, processorPage, processorTitles } from "../processor-page.ts";

type Props = { searchParams: Promise<SearchParams> };

const here = "/merchant/settings/processor/return";
const titles = { connected: "Back from Stripe", simulated: "Processor" };

export const generateMetadata = ({ searchParams }: Props) => processorMetadata(here, searchParams, titles);

/** Stripe redirects here from its page, even if the person didn't complete that page. */
const ProcessorReturnPage = async ({ searchParams }: Props) => {
  const page = await processorPage(here, searchParams);
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
