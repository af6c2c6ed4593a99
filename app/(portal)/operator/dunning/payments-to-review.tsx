import { DunningTabs, paymentReviewPath } from "#components/operator/dunning/dunning-tabs.tsx";
import { PaymentReviewTable } from "#components/operator/dunning/payment-review-table.tsx";
import { listAddress, type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { operatorPage } from "../operator-context.ts";

/** Payments whose outcome isn't known after an hour, the oldest first. */
export const PaymentsToReview = async ({ params }: { params: SearchParams }) => {
  const { api, reader, now } = await operatorPage(paymentReviewPath, "dunning_case.list");
  const after = searchId(params, "after");
  const { payments, hasMore } = await api.operatorDunning.payments({ startingAfter: after });
  return (
    <>
      <PageHead title="Payments to review">
        The outcome of these payments has been unknown for more than an hour. Until you settle a payment, no other
        payment of its invoice starts.
      </PageHead>
      <DunningTabs current={paymentReviewPath} />
      {payments.length > 0 ? (
        <PaymentReviewTable payments={payments} now={now} reader={reader} />
      ) : (
        <EmptyState title="No payments to review">
          A payment is listed here if its outcome is still unknown after an hour. Home then also shows a notice.
        </EmptyState>
      )}
      <Pager
        newest={after === undefined ? null : paymentReviewPath}
        older={hasMore ? listAddress("/operator/dunning", { show: "review", after: payments.at(-1)?.id }) : null}
      />
    </>
  );
};
