import type { Metadata } from "next";
import { UnpricedNotice } from "#components/merchant/billing/plan/unpriced-notice.tsx";
import { PlanFacts } from "#components/merchant/billing/plan-facts.tsx";
import { readSpendRange, SpendChart, SpendRangePicker } from "#components/merchant/billing/spend/spend-chart.tsx";
import { SpendFigures } from "#components/merchant/billing/spend/spend-figures.tsx";
import { UsageTable } from "#components/merchant/billing/usage/usage-table.tsx";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Billing" };

const BillingPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const months = readSpendRange((await searchParams)["months"]);
  const { api, merchantId, reader } = await merchantPage("/merchant/billing");
  const usage = await api.merchantBilling.plan({ merchantId, months });
  return (
    <>
      <PageHead title="Billing">Your plan, and the cost of the current period so far.</PageHead>
      {usage ? (
        <>
          <PlanFacts subscription={usage} reader={reader} />
          {usage.costs.length > 0 ? (
            <Section title="Current period">
              <SpendFigures costs={usage.costs} reader={reader} />
            </Section>
          ) : null}
          {usage.costs.map((cost) => (
            <Section key={cost.currency} title={`Costs in ${cost.currency}`}>
              {cost.lines.length > 0 ? (
                <UsageTable cost={cost} reader={reader} />
              ) : (
                <p className="muted">This period costs nothing so far.</p>
              )}
            </Section>
          ))}
          <Section title="Spend over time" act={<SpendRangePicker current={months} />}>
            {usage.history.length > 0 ? (
              usage.history.map((spend) => (
                <SpendChart key={spend.currency} spend={spend} months={months} reader={reader} />
              ))
            ) : (
              <p className="muted">Nothing was billed in these months.</p>
            )}
          </Section>
          <UnpricedNotice currencies={usage.unpriced} plansHref="/merchant/billing/plan" />
        </>
      ) : (
        <EmptyState title="No plan yet" act={<ButtonLink href="/pricing">See all plans</ButtonLink>}>
          Your merchant has no subscription, so nothing is billed.
        </EmptyState>
      )}
    </>
  );
};

export default BillingPage;
