import type { Metadata } from "next";
import { isMerchantState, merchantStates } from "#components/format/labels/merchant-labels.ts";
import { MerchantTable } from "#components/operator/merchants/merchant-table.tsx";
import { FilterForm } from "#components/portal/lists/filter-form.tsx";
import { addressOf, idOf, type Params, textOf } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Field, Select } from "#components/ui/field.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Merchants" };

const here = "/operator/merchants";

const MerchantsPage = async ({ searchParams }: { searchParams: Promise<Params> }) => {
  const params = await searchParams;
  const { api, reader } = await operatorPage(here);
  const [search, wished, after] = [textOf(params, "q"), textOf(params, "state"), idOf(params, "after")];
  const state = isMerchantState(wished) ? wished : undefined;
  const { merchants, hasMore } = await api.operatorMerchants.list({
    search,
    isSuspended: state && state === "suspended",
    startingAfter: after,
  });
  const isFiltered = search !== undefined || state !== undefined;
  return (
    <>
      <PageHead title="Merchants">Who verifies and charges mandates here, by name.</PageHead>
      <FilterForm action={here} isFiltered={isFiltered}>
        <Field label="Name or id" name="q" type="search" defaultValue={search ?? ""} maxLength={100} />
        <Select label="State" name="state" defaultValue={state ?? ""}>
          <option value="">Any</option>
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
        <EmptyState title={isFiltered ? "Nothing matches" : "No merchant yet"}>
          {isFiltered
            ? "No merchant fits these filters. Clear them to see everyone."
            : "A merchant comes here when it is registered."}
        </EmptyState>
      )}
      <Pager
        newest={after === undefined ? null : addressOf(here, { q: search, state })}
        older={hasMore ? addressOf(here, { q: search, state, after: merchants.at(-1)?.id }) : null}
      />
    </>
  );
};

export default MerchantsPage;
