import type { Metadata } from "next";
import { disputeStatusLabels } from "#components/format/labels/dispute-labels.ts";
import { DisputeTable } from "#components/merchant/disputes/dispute-table.tsx";
import { FilterForm } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Select } from "#components/ui/field/field.tsx";
import type { DisputeStatus } from "#server/charges/rules/dispute.ts";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Disputes" };

const path = "/merchant/disputes";
const isStatus = (text: unknown): text is DisputeStatus =>
  typeof text === "string" && Object.hasOwn(disputeStatusLabels, text);

const DisputesPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const status = isStatus(params["status"]) ? params["status"] : undefined;
  const after = searchId(params, "after");
  const { api, merchantId, reader, businessNow } = await merchantPage(path);
  const { disputes, hasMore } = await api.disputes.list({ merchantId, status, startingAfter: after });
  return (
    <>
      <PageHead title="Disputes">
        Payments that payers dispute at their bank. Respond to disputes in your processor’s dashboard.
      </PageHead>
      <FilterForm action={path} isFiltered={status !== undefined}>
        <Select label="Status" name="status" defaultValue={status ?? ""}>
          <option value="">All disputes</option>
          {Object.entries(disputeStatusLabels).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </FilterForm>
      {disputes.length > 0 ? (
        <DisputeTable disputes={disputes} now={businessNow} reader={reader} />
      ) : (
        <EmptyState title={status ? "No results" : "No disputes"}>
          {status ? "No dispute has this status." : "If a payer disputes a payment, it appears here."}
        </EmptyState>
      )}
      <Pager
        newest={after ? listAddress(path, { status }) : null}
        older={hasMore ? listAddress(path, { status, after: disputes.at(-1)?.id }) : null}
      />
    </>
  );
};

export default DisputesPage;
