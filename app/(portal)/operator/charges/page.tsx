import type { Metadata } from "next";
import { ChargesUnderReviewTable } from "#components/operator/charges/charges-under-review-table.tsx";
import { ContradictionList } from "#components/operator/charges/contradictions.tsx";
import { addressOf, idOf, type Params, textOf } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { SearchForm } from "#components/portal/lists/search-form.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Charges handed over" };

const here = "/operator/charges";

const ChargesUnderReviewPage = async ({ searchParams }: { searchParams: Promise<Params> }) => {
  const params = await searchParams;
  const { api, reader, now } = await operatorPage(here);
  const [search, after] = [textOf(params, "q"), idOf(params, "after")];
  const { charges, hasMore } = await api.operator.chargesUnderReview({ search, startingAfter: after });
  const contradictions = await api.operator.contradictions();
  return (
    <>
      <PageHead title="Charges handed over">
        They were sent, and no look-up could tell what came of them. Their amounts stay held until you settle them.
      </PageHead>
      {contradictions.length > 0 ? (
        <Section title="Contradicted by the processor">
          <ContradictionList contradictions={contradictions} now={now} reader={reader} />
        </Section>
      ) : null}
      <SearchForm label="Merchant, reference or id" value={search ?? ""} />
      {charges.length > 0 ? (
        <ChargesUnderReviewTable charges={charges} now={now} reader={reader} />
      ) : (
        <EmptyState title={search === undefined ? "None waits" : "Nothing matches"}>
          {search === undefined
            ? "A charge comes here when its processor can’t tell what became of it. You will see it on Home too."
            : "No charge that was handed over fits this search."}
        </EmptyState>
      )}
      <Pager
        newest={after === undefined ? null : addressOf(here, { q: search })}
        older={hasMore ? addressOf(here, { q: search, after: charges.at(-1)?.id }) : null}
      />
    </>
  );
};

export default ChargesUnderReviewPage;
