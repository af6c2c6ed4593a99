import type { Metadata } from "next";
import { isMerchantState, merchantStates } from "#components/format/labels/merchant-labels.ts";
import { InviteMerchant } from "#components/operator/merchants/invite-merchant.tsx";
import { MerchantTable } from "#components/operator/merchants/merchant-table.tsx";
import { FilterForm } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Field, Select } from "#components/ui/field/field.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Merchants" };

const here = "/operator/merchants";

const MerchantsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const { api, reader, email, may, config } = await operatorPage(here);
  const [search, requestedState, after] = [
    searchText(params, "q"),
    searchText(params, "state"),
    searchId(params, "after"),
  ];
  const state = isMerchantState(requestedState) ? requestedState : undefined;
  const { merchants, hasMore } = await api.operatorMerchants.list({
    search,
    standing: state,
    startingAfter: after,
  });
  const isFiltered = search !== undefined || state !== undefined;
  return (
    <>
      <PageHead
        title="Merchants"
        act={
          may("registered_merchant.invite") ? (
            <InviteMerchant email={email} keepsMail={config.smtpUrl === null} />
          ) : null
        }
      >
        Merchants that verify and charge mandates.
      </PageHead>
      <FilterForm action={here} filters={{ q: search, state }}>
        <Field label="Name or ID" name="q" type="search" defaultValue={search ?? ""} maxLength={100} />
        <Select label="Status" name="state" defaultValue={state ?? ""}>
          <option value="">All statuses</option>
          {Object.entries(merchantStates).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </FilterForm>
      {merchants.length > 0 ? (
        <MerchantTable merchants={merchants} reader={reader} />
      ) : (
        <EmptyState title={isFiltered ? "No results" : "No merchants yet"}>
          {isFiltered
            ? "No merchant matches these filters. Clear the filters to see all merchants."
            : "Registered merchants are listed here."}
        </EmptyState>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(here, { q: search, state })}
        older={hasMore ? listAddress(here, { q: search, state, after: merchants.at(-1)?.id }) : null}
      />
    </>
  );
};

export default MerchantsPage;
