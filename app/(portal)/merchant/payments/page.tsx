import type { Metadata } from "next";
import {
  isPaymentShow,
  PaymentFilter,
  paymentsAddress,
  paymentsCsvAddress,
} from "#components/merchant/payments/payment-filter.tsx";
import { PaymentTable } from "#components/merchant/payments/payment-table.tsx";
import { listInRange, periodOf, readDateRange } from "#components/portal/lists/date-range.ts";
import { type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { DownloadLink } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Payments" };

const PaymentsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const show = isPaymentShow(params["show"]) ? params["show"] : undefined;
  const after = searchId(params, "after");
  const { api, merchantId, reader, businessNow } = await merchantPage("/merchant/payments");
  const [q, range] = [searchText(params, "q"), readDateRange(params, reader.timeZone)];
  const mandate = searchText(params, "mandate", 64);
  const query = { show, q, mandate, from: range.from, to: range.to };
  const isFiltered = Object.values(query).some((filter) => filter !== undefined);
  const input = { merchantId, show, search: q, mandateId: mandate, ...periodOf(range), startingAfter: after };
  const none = { payments: [], hasMore: false, cut: { references: false, mandate: false } };
  const { payments, hasMore, cut } = await listInRange(range, none, () => api.payments.list(input));
  const last = payments.at(-1);
  return (
    <>
      <PageHead
        title="Payments"
        act={
          payments.length > 0 ? (
            <DownloadLink href={paymentsCsvAddress(merchantId, query, range)}>Export CSV</DownloadLink>
          ) : null
        }
      >
        All payments of your apps, newest first.
      </PageHead>
      <PaymentFilter query={query} range={range} now={businessNow} reader={reader} />
      {cut.mandate ? (
        <Notice tone="warn">
          A search reads 5,000 payments of a mandate, and this mandate has more. To search older payments, choose an
          earlier end date.
        </Notice>
      ) : null}
      {cut.references ? (
        <Notice tone="warn">
          More than 1,000 payments have a reference that starts with this text. The list and its export search only
          1,000 of them. Enter more of the reference.
        </Notice>
      ) : null}
      {payments.length > 0 ? (
        <PaymentTable payments={payments} now={businessNow} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={isFiltered}
          range={range}
          clear="/merchant/payments"
          noMatch="No payment matches these filters. Enter the start of a reference, or a complete ID."
          title="No payments yet"
        >
          Payments that your apps create are listed here.
        </ListEmpty>
      )}
      <Pager
        newest={after ? paymentsAddress(query) : null}
        older={hasMore && last ? paymentsAddress({ ...query, after: last.id }) : null}
      />
    </>
  );
};

export default PaymentsPage;
