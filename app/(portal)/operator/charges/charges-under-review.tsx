import { ChargeTabs, reviewPath } from "#components/operator/charges/charge-tabs.tsx";
import { ChargesUnderReviewTable } from "#components/operator/charges/charges-under-review-table.tsx";
import { ContradictionList } from "#components/operator/charges/contradictions.tsx";
import { FilterForm, SearchField } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { operatorPage } from "../operator-context.ts";

const address = (query: Record<string, string | undefined>) =>
  listAddress("/operator/charges", { show: "review", ...query });

/** The charges that wait for an operator (oldest first), and the contradictions with processors. */
export const ChargesUnderReview = async ({ params }: { params: SearchParams }) => {
  const { api, reader, now } = await operatorPage(reviewPath, "charge_under_review.list");
  const [search, after] = [searchText(params, "q"), searchId(params, "after")];
  const [{ charges, hasMore }, contradictions] = await Promise.all([
    api.operator.chargesUnderReview({ search, startingAfter: after }),
    api.operator.contradictions(),
  ]);
  return (
    <>
      <PageHead title="Charges needing review">
        The outcome of these charges at the processor is unknown. Their amounts stay on hold until the charges are
        settled: by a look-up, by an event from the processor, or by an admin.
      </PageHead>
      <ChargeTabs current={reviewPath} />
      {contradictions.length > 0 ? (
        <Section title="Contradictions with the processor">
          <ContradictionList contradictions={contradictions} now={now} reader={reader} />
        </Section>
      ) : null}
      <FilterForm
        action="/operator/charges"
        filters={{ q: search }}
        submit="Search"
        clearHref={reviewPath}
        kept={{ show: "review" }}
      >
        <SearchField label="Merchant, reference or ID" value={search} />
      </FilterForm>
      {charges.length > 0 ? (
        <ChargesUnderReviewTable charges={charges} now={now} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={search !== undefined}
          clear={reviewPath}
          noMatch="No charge that needs review matches this search."
          clearLabel="Clear the search"
          title="No charges to review"
        >
          When the outcome of a charge at the processor can’t be determined, the charge is listed here and Home shows a
          notice.
        </ListEmpty>
      )}
      <Pager
        newest={after === undefined ? null : address({ q: search })}
        older={hasMore ? address({ q: search, after: charges.at(-1)?.id }) : null}
      />
    </>
  );
};
