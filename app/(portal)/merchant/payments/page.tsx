import type { Metadata } from "next";
import { isPaymentShow, PaymentFilter, paymentsAddress } from "#components/merchant/payments/payment-filter.tsx";
import { PaymentTable } from "#components/merchant/payments/payment-table.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Payments" };

type Params = Readonly<Record<string, string | string[] | undefined>>;

const PaymentsPage = async ({ searchParams }: { searchParams: Promise<Params> }) => {
  const params = await searchParams;
  const show = isPaymentShow(params["show"]) ? params["show"] : undefined;
  const after = typeof params["after"] === "string" && /^\w{1,64}$/.test(params["after"]) ? params["after"] : undefined;
  const { api, merchantId, reader, businessNow } = await merchantPage("/merchant/payments");
  const { payments, hasMore } = await api.payments.list({ merchantId, show, startingAfter: after });
  const last = payments.at(-1);
  return (
    <>
      <PageHead title="Payments">Every charge that your apps asked for, newest first.</PageHead>
      <PaymentFilter show={show} />
      {payments.length > 0 ? (
        <PaymentTable payments={payments} now={businessNow} reader={reader} />
      ) : (
        <EmptyState title={show ? "Nothing matches" : "No payments yet"}>
          {show
            ? "No payment fits this filter. Clear it to see everything."
            : "What is charged under mandates by your apps will be listed here."}
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
