import { ChargeFilter, maxChargeSearch } from "#components/operator/charges/charge-filter.tsx";
import { OperatorChargeTable } from "#components/operator/charges/charge-table.tsx";
import { ChargeTabs, chargesPath } from "#components/operator/charges/charge-tabs.tsx";
import { isChargeState } from "#components/operator/labels/operator-charge-labels.ts";
import { listInRange, periodOf, readDateRange } from "#components/portal/lists/date-range.ts";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { operatorPage } from "../operator-context.ts";

/** Charges of all merchants and payers, newest first. */
export const AllCharges = async ({ params }: { params: SearchParams }) => {
  const { api, reader, businessNow } = await operatorPage(chargesPath, "recorded_charge.list");
  const [q, state] = [searchText(params, "q", maxChargeSearch), searchText(params, "state")];
  const [range, after] = [readDateRange(params, reader.timeZone), searchId(params, "after")];
  const states = isChargeState(state) ? [state] : undefined;
  const none = { charges: [], hasMore: false, cut: { merchants: false, references: false } };
  const { charges, hasMore, cut } = await listInRange(range, none, () =>
    api.operatorCharges.list({ search: q, states, ...periodOf(range), startingAfter: after }),
  );
  const query = { q, state: isChargeState(state) ? state : undefined };
  const filters = { ...query, from: range.from, to: range.to };
  return (
    <>
      <PageHead title="Charges">All charges of all merchants, newest first.</PageHead>
      <ChargeTabs current={chargesPath} />
      <ChargeFilter query={query} range={range} now={businessNow} reader={reader} />
      {cut.merchants ? (
        <Notice tone="warn">
          Many merchant names contain this text. The list shows only the charges of the first 50 of these merchants.
          Enter more of the name, or the merchant’s ID.
        </Notice>
      ) : null}
      {cut.references ? (
        <Notice tone="warn">
          More than 1,000 charges have a reference that starts with this text. The list shows only 1,000 of them. Enter
          more of the reference.
        </Notice>
      ) : null}
      {charges.length > 0 ? (
        <OperatorChargeTable charges={charges} now={businessNow} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={Object.values(filters).some((filter) => filter !== undefined)}
          range={range}
          clear={chargesPath}
          noMatch="No charge matches these filters. Enter the start of a reference, a part of a merchant’s name, or a complete ID."
          title="No charges yet"
        >
          Charges that merchants create are listed here.
        </ListEmpty>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(chargesPath, filters)}
        older={hasMore ? listAddress(chargesPath, { ...filters, after: charges.at(-1)?.id }) : null}
      />
    </>
  );
};
