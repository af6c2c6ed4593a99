import type { Metadata } from "next";
import { isPayerState, payerStates } from "#components/operator/labels/payer-labels.ts";
import { PayerTable } from "#components/operator/payers/payer-table.tsx";
import { FilterForm } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { Field, Select } from "#components/ui/field/field.tsx";
import { orNotFound } from "../../portal-context.ts";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Payers" };

const here = "/operator/payers";
/** The maximum length of an e-mail address (RFC 5321 §4.5.3.1.3). */
const maxAddressLength = 254;

const PayersPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const { api, reader } = await operatorPage(here, "payer.list");
  const [search, requestedState] = [searchText(params, "q", maxAddressLength), searchText(params, "state")];
  const [state, after] = [isPayerState(requestedState) ? requestedState : undefined, searchId(params, "after")];
  const { payers, nextCursor } = await orNotFound(api.operatorPayers.list({ search, state, cursor: after }));
  const isFiltered = search !== undefined || state !== undefined;
  return (
    <>
      <PageHead title="Payers">
        All accounts, newest first. Each account has a wallet, so each account is a payer. A search lists matching
        e-mail addresses first, then matching names.
      </PageHead>
      <FilterForm action={here} filters={{ q: search, state }}>
        <Field
          label="E-mail, name or account ID"
          name="q"
          type="search"
          defaultValue={search ?? ""}
          maxLength={maxAddressLength}
          hint="The start of an address or a name, or a complete ID."
        />
        <Select label="Status" name="state" defaultValue={state ?? ""}>
          <option value="">All statuses</option>
          {Object.entries(payerStates).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </FilterForm>
      {payers.length > 0 ? (
        <PayerTable payers={payers} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={isFiltered}
          clear={here}
          noMatch={
            nextCursor === null
              ? "No account matches. Enter the start of an e-mail address or a name, or a complete account ID."
              : "No match in the accounts searched so far. To search more accounts, select Next."
          }
          title="No payers yet"
        >
          People who sign up are listed here.
        </ListEmpty>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(here, { q: search, state })}
        older={nextCursor === null ? null : listAddress(here, { q: search, state, after: nextCursor })}
        // A search returns accounts in alphabetical order.
        texts={search === undefined ? undefined : { pages: "Pages", newest: "First", older: "Next" }}
      />
    </>
  );
};

export default PayersPage;
