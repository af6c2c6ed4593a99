import { InvoiceTabs, taxPath } from "#components/operator/invoices/invoice-tabs.tsx";
import { TaxCaseTable } from "#components/operator/invoices/tax-case-table.tsx";
import { listAddress, type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { operatorPage } from "../operator-context.ts";

/** Drafts that wait for the merchant's tax region. The draft that has waited longest is first. */
export const TaxDecisions = async ({ params }: { params: SearchParams }) => {
  const { api, reader, businessNow } = await operatorPage(taxPath, "billing_invoice.list");
  const after = searchId(params, "after");
  const { cases, hasMore } = await api.operatorInvoices.taxCases({ startingAfter: after });
  return (
    <>
      <PageHead title="Tax decisions">
        These drafts aren’t issued, because their merchants’ tax region isn’t known. After 7 days, an operator can issue
        them without tax.
      </PageHead>
      <InvoiceTabs current={taxPath} />
      {cases.length > 0 ? (
        <TaxCaseTable cases={cases} now={businessNow} reader={reader} />
      ) : (
        <EmptyState title="No drafts are waiting">
          In production, a draft waits here until the merchant’s tax region is known. In the sandbox, such an invoice
          has no tax.
        </EmptyState>
      )}
      <Pager
        newest={after === undefined ? null : taxPath}
        older={hasMore ? listAddress("/operator/invoices", { show: "tax", after: cases.at(-1)?.id }) : null}
      />
    </>
  );
};
