import { isInvoiceStatus } from "#components/merchant/billing/invoice-labels.ts";
import { FoundInvoiceTable } from "#components/operator/invoices/found-invoice-table.tsx";
import { InvoiceSearchFilter, isInvoiceType } from "#components/operator/invoices/invoice-search-filter.tsx";
import { InvoiceTabs, invoicesPath } from "#components/operator/invoices/invoice-tabs.tsx";
import { listInRange, periodOf, readDateRange } from "#components/portal/lists/date-range.ts";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { isCurrency } from "#server/kernel/money/money.ts";
import { operatorPage } from "../operator-context.ts";

const queryOf = (params: SearchParams) => {
  const currency = searchText(params, "currency", 3)?.toUpperCase();
  return {
    q: searchText(params, "q"),
    type: isInvoiceType(params["type"]) ? params["type"] : undefined,
    status: isInvoiceStatus(params["status"]) ? params["status"] : undefined,
    currency: currency !== undefined && isCurrency(currency) ? currency : undefined,
  };
};

/** Invoices and credit notes of all merchants, newest first. */
export const AllInvoices = async ({ params }: { params: SearchParams }) => {
  const { api, reader, businessNow } = await operatorPage(invoicesPath, "billing_invoice.list");
  const query = queryOf(params);
  const [range, after] = [readDateRange(params, reader.timeZone), searchId(params, "after")];
  const { q: search, ...wanted } = query;
  const none = { invoices: [], hasMore: false, isCut: false };
  const { invoices, hasMore, isCut } = await listInRange(range, none, () =>
    api.operatorInvoices.list({ search, ...wanted, ...periodOf(range), startingAfter: after }),
  );
  const filters = { ...query, from: range.from, to: range.to };
  return (
    <>
      <PageHead title="Invoices">All invoices and credit notes of all merchants, newest first.</PageHead>
      <InvoiceTabs current={invoicesPath} />
      <InvoiceSearchFilter query={query} range={range} now={businessNow} reader={reader} />
      {isCut ? (
        <Notice tone="warn">
          Many merchant names contain this text. The list shows only the invoices of the first 50 of these merchants.
          Enter more of the name, or the merchant’s ID.
        </Notice>
      ) : null}
      {invoices.length > 0 ? (
        <FoundInvoiceTable invoices={invoices} now={businessNow} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={Object.values(filters).some((filter) => filter !== undefined)}
          range={range}
          clear={invoicesPath}
          noMatch="No invoice matches these filters. Numbers and IDs must match exactly."
          title="No invoices yet"
        >
          The invoices of a period are listed here after the period ends.
        </ListEmpty>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(invoicesPath, filters)}
        older={hasMore ? listAddress(invoicesPath, { ...filters, after: invoices.at(-1)?.id }) : null}
      />
    </>
  );
};
