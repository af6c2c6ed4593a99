import type { Metadata } from "next";
import { isPaymentShow, PaymentFilter, paymentsAddress } from "#components/merchant/payments/payment-filter.tsx";
import { PaymentTable } from "#components/merchant/payments/payment-table.tsx";
import { type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Payments" };

const PaymentsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const show = isPaymentShow(params["show"]) ? params["show"] : undefined;
  const after = searchId(params, "after");
  const { api, merchantId, reader, businessNow } = await merchantPage("/merchant/payments");
  const { payments, hasMore } = await api.payments.list({ merchantId, show, startingAfter: after });
  const last = payments.at(-1);
  return (
    <>
      <PageHead title="Payments">All charges of your apps, newest first.</PageHead>
      <PaymentFilter show={show} />
      {payments.length > 0 ? (
        <PaymentTable payments={payments} now={businessNow} reader={reader} />
      ) : (
        <EmptyState title={show ? "No results" : "No payments yet"}>
          {show
            ? "No payment matches this filter. Clear the filter to see all payments."
            : "Charges that your apps create are listed here."}
        </EmptyState>
      )}
      <Pager
        newest={after ? paymentsAddress({ show }) : null}
        older={hasMore && last ? paymentsAddress({ show, after: last.id }) : null}
      />
    </>
  );
};

export default PaymentsPage;
