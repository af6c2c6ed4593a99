import type { Metadata } from "next";
import { InvoiceFilter, invoicesAddress } from "#components/merchant/billing/invoice-filter.tsx";
import { isInvoiceStatus } from "#components/merchant/billing/invoice-labels.ts";
import { InvoiceTable } from "#components/merchant/billing/invoice-table.tsx";
import { type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { isCurrency } from "#server/kernel/money/money.ts";
import { orNotFound } from "../../../portal-context.ts";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "Invoices" };

const queryOf = (params: SearchParams) => {
  const currency = searchText(params, "currency", 3)?.toUpperCase();
  return {
    status: isInvoiceStatus(params["status"]) ? params["status"] : undefined,
    currency: currency !== undefined && isCurrency(currency) ? currency : undefined,
  };
};

const InvoicesPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const query = queryOf(params);
  const after = searchId(params, "after");
  const { api, merchantId, reader } = await merchantPage("/merchant/billing/invoices");
  const { invoices, hasMore } = await orNotFound(
    api.merchantBilling.invoices({ merchantId, ...query, startingAfter: after }),
  );
  const isFiltered = query.status !== undefined || query.currency !== undefined;
  return (
    <>
      <PageHead title="Invoices">All invoices and credit notes of your merchant, newest first.</PageHead>
      <InvoiceFilter query={query} />
      {invoices.length > 0 ? (
        <InvoiceTable invoices={invoices} reader={reader} />
      ) : (
        <EmptyState title={isFiltered ? "No results" : "No invoices yet"}>
          {isFiltered
            ? "No invoice matches these filters. Clear the filters to see all invoices."
            : "The invoice of a period is listed here after the period ends."}
        </EmptyState>
      )}
      <Pager
        newest={after ? invoicesAddress(query) : null}
        older={hasMore ? invoicesAddress({ ...query, after: invoices.at(-1)?.id }) : null}
      />
    </>
  );
};

export default InvoicesPage;
