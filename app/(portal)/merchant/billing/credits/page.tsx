import type { Metadata } from "next";
import { CreditTable } from "#components/merchant/billing/ledger/credit-table.tsx";
import { listAddress, type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "Credits" };

const path = "/merchant/billing/credits";

const CreditsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const after = searchId(await searchParams, "after");
  const { api, merchantId, reader, businessNow } = await merchantPage(path);
  const { credits, hasMore } = await orNotFound(api.merchantLedger.credits({ merchantId, startingAfter: after }));
  return (
    <>
      <PageHead title="Credits">
        Invoices use the credit balance first, then prepaid and promotional credits in the invoice’s currency.
      </PageHead>
      {credits.length > 0 ? (
        <CreditTable credits={credits} now={businessNow} reader={reader} />
      ) : (
        <EmptyState title="No credits yet">
          Your credit balance, prepaid credits and promotional credits are listed here, with the invoices that used
          them.
        </EmptyState>
      )}
      <Pager newest={after ? path : null} older={hasMore ? listAddress(path, { after: credits.at(-1)?.id }) : null} />
    </>
  );
};

export default CreditsPage;
