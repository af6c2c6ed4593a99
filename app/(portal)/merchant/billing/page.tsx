import type { Metadata } from "next";
import { UnpricedNotice } from "#components/merchant/billing/plan/unpriced-notice.tsx";
import { PlanFacts } from "#components/merchant/billing/plan-facts.tsx";
import { UsageTable } from "#components/merchant/billing/usage-table.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Billing" };

const BillingPage = async () => {
  const { api, merchantId, reader } = await merchantPage("/merchant/billing");
  const usage = await api.merchantBilling.plan({ merchantId });
  return (
    <>
      <PageHead title="Billing">Your plan, and what the current period costs so far.</PageHead>
      {usage ? (
        <>
          <PlanFacts subscription={usage} reader={reader} />
          {usage.costs.map((cost) => (
            <Section key={cost.currency} title={`Usage in ${cost.currency}`}>
              {cost.lines.length > 0 ? (
                <UsageTable cost={cost} reader={reader} />
              ) : (
                <p className="muted">This period costs nothing so far.</p>
              )}
            </Section>
          ))}
          <UnpricedNotice currencies={usage.unpriced} />
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
