import type { Metadata } from "next";
import { ChargesUnderReviewTable } from "#components/operator/charges/charges-under-review-table.tsx";
import { ContradictionList } from "#components/operator/charges/contradictions.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { ListSearchForm } from "#components/portal/lists/search-form.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Charges needing review" };

const here = "/operator/charges";

const ReviewPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const [params, { api, reader, now }] = await Promise.all([searchParams, operatorPage(here)]);
  const [search, after] = [searchText(params, "q"), searchId(params, "after")];
  const [{ charges, hasMore }, contradictions] = await Promise.all([
    api.operator.chargesUnderReview({ search, startingAfter: after }),
    api.operator.contradictions(),
  ]);
  return (
    <>
      <PageHead title="Charges needing review">
        The outcome of these charges at the processor is unknown. Their amounts stay on hold until you settle them.
      </PageHead>
      {contradictions.length > 0 ? (
        <Section title="Contradictions with the processor">
          <ContradictionList contradictions={contradictions} now={now} reader={reader} />
        </Section>
      ) : null}
      <ListSearchForm label="Merchant, reference or ID" value={search ?? ""} />
      {charges.length > 0 ? (
        <ChargesUnderReviewTable charges={charges} now={now} reader={reader} />
      ) : (
        <EmptyState title={search === undefined ? "No charges to review" : "No results"}>
          {search === undefined
            ? "When the outcome of a charge at the processor can’t be determined, the charge is listed here and Home shows a notice."
            : "No charge that needs review matches this search."}
        </EmptyState>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(here, { q: search })}
        older={hasMore ? listAddress(here, { q: search, after: charges.at(-1)?.id }) : null}
      />
    </>
  );
};

export default ReviewPage;
