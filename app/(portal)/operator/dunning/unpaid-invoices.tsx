import { DunningTable } from "#components/operator/dunning/dunning-table.tsx";
import { DunningTabs, dunningPath } from "#components/operator/dunning/dunning-tabs.tsx";
import { listAddress, type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { operatorPage } from "../operator-context.ts";

/** Open invoices whose payment failed or whose due date has passed, the longest unpaid first. */
export const UnpaidInvoices = async ({ params }: { params: SearchParams }) => {
  const { api, reader, businessNow } = await operatorPage(dunningPath, "dunning_case.list");
  const after = searchId(params, "after");
  const { cases, hasMore } = await api.operatorDunning.cases({ startingAfter: after });
  return (
    <>
      <PageHead title="Dunning">
        After the first failure, a payment is tried again on days 1, 3, 5 and 7, unless a decline is final. The
        merchant’s new charges are refused 14 days after the first failure or the due date, whichever is earlier.
      </PageHead>
      <DunningTabs current={dunningPath} />
      {cases.length > 0 ? (
        <DunningTable cases={cases} now={businessNow} reader={reader} />
      ) : (
        <EmptyState title="No unpaid invoices">
          An open invoice is listed here after its payment fails or its due date passes.
        </EmptyState>
      )}
      <Pager
        newest={after === undefined ? null : dunningPath}
        older={hasMore ? listAddress(dunningPath, { after: cases.at(-1)?.invoiceId }) : null}
      />
    </>
  );
};
