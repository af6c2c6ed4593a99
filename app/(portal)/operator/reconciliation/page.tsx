import type { Metadata } from "next";
import { MeterResultTable, ReconciledDayTable } from "#components/operator/billing/reconciliation-tables.tsx";
import { FilterForm } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { Field, Select } from "#components/ui/field/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { startOfDay } from "#server/kernel/time/calendar.ts";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Reconciliation" };

const here = "/operator/reconciliation";
const placeForm = /^\d{4}-\d{2}-\d{2}~[^~]+~[^~]+$/;

/** @returns the day in the URL, or undefined if it isn't a valid date. */
const readDay = (text: string | undefined): string | undefined =>
  text !== undefined && startOfDay(text, "UTC") !== null ? text : undefined;

const ReconciliationPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const { api, reader, now } = await operatorPage(here, "reconciliation.list");
  const requestedPlace = searchText(params, "after", 200);
  const query = {
    merchant: searchText(params, "merchant", 64),
    day: readDay(searchText(params, "day")),
    result: searchText(params, "result") === "different" ? "different" : undefined,
  };
  const after = requestedPlace !== undefined && placeForm.test(requestedPlace) ? requestedPlace : undefined;
  const { days, results, hasMore } = await api.operatorReconciliation.list({
    merchantId: query.merchant,
    day: query.day,
    isDifferent: query.result === "different",
    after,
  });
  return (
    <>
      <PageHead title="Reconciliation">
        Each meter is compared with its source, per merchant and day. An invoice isn’t issued until all its meters match
        their sources.
      </PageHead>
      <Section title="Recent days">
        {days.length > 0 ? (
          <ReconciledDayTable days={days} now={now} reader={reader} />
        ) : (
          <Notice tone="note">No day has been compared yet. The job runs every hour.</Notice>
        )}
      </Section>
      <Section title="Meters">
        <FilterForm action={here} filters={query}>
          <Field label="Merchant ID" name="merchant" type="search" defaultValue={query.merchant ?? ""} maxLength={64} />
          <Field label="Day (UTC)" name="day" type="date" defaultValue={query.day ?? ""} />
          <Select label="Result" name="result" defaultValue={query.result ?? ""}>
            <option value="">All results</option>
            <option value="different">Different</option>
          </Select>
        </FilterForm>
        {results.length > 0 ? (
          <MeterResultTable results={results} now={now} reader={reader} />
        ) : (
          <ListEmpty
            isFiltered={Object.values(query).some((filter) => filter !== undefined)}
            clear={here}
            noMatch="No result matches these filters. The ID must match exactly."
            title="No results yet"
          >
            When a merchant’s meters are compared, the results appear here.
          </ListEmpty>
        )}
        <Pager
          newest={after === undefined ? null : listAddress(here, query)}
          older={hasMore ? listAddress(here, { ...query, after: results.at(-1)?.place }) : null}
        />
      </Section>
    </>
  );
};

export default ReconciliationPage;
