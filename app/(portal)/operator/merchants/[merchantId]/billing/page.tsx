import type { Metadata } from "next";
import { type ComponentProps, cache } from "react";
import type { Reader } from "#components/format/reader.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { TaxCaseTable } from "#components/operator/invoices/tax-case-table.tsx";
import { AddSlaCredit } from "#components/operator/merchant-billing/add-sla-credit.tsx";
import { AssignPlan } from "#components/operator/merchant-billing/assign-plan.tsx";
import { ApplyCoupon } from "#components/operator/merchant-billing/change-coupon.tsx";
import { CouponList } from "#components/operator/merchant-billing/coupon-list.tsx";
import { MerchantCreditTable } from "#components/operator/merchant-billing/credit-table.tsx";
import { GrantCredit } from "#components/operator/merchant-billing/grant-credit.tsx";
import { SlaCreditTable } from "#components/operator/merchant-billing/sla-credit-table.tsx";
import { SubscriptionFacts } from "#components/operator/merchant-billing/subscription-facts.tsx";
import { listAddress, type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { orNotFound } from "../../../../portal-context.ts";
import { operatorPage } from "../../../operator-context.ts";

type Props = { params: Promise<{ merchantId: string }>; searchParams: Promise<SearchParams> };

const addressOf = (id: string): string => `/operator/merchants/${encodeURIComponent(id)}/billing`;

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (id: string, creditsAfter: string | undefined) => {
  const page = await operatorPage(addressOf(id), "merchant_billing.read");
  const input = { merchantId: id.slice(0, 64), creditsAfter };
  return { ...page, billing: await orNotFound(page.api.operatorMerchantBilling.get(input)) };
});

const read = async ({ params, searchParams }: Props) =>
  load((await params).merchantId, searchId(await searchParams, "credit"));

export const generateMetadata = async (props: Props): Promise<Metadata> => {
  const { billing } = await read(props);
  return { title: pageTitle(`Billing of ${billing.merchant.name}`) };
};

const SlaCredits = ({ billing, email, reader }: ComponentProps<typeof AddSlaCredit> & { reader: Reader }) => (
  <Section title="SLA credits" act={billing.subscription ? <AddSlaCredit billing={billing} email={email} /> : null}>
    {billing.slaCredits.length > 0 ? (
      <SlaCreditTable credits={billing.slaCredits} reader={reader} />
    ) : (
      <EmptyState title="No SLA credits">
        Credits for months in which a component’s uptime was below its objective are listed here.
      </EmptyState>
    )}
  </Section>
);

const MerchantBillingPage = async (props: Props) => {
  const { billing, reader, businessNow: now, email } = await read(props);
  const { merchant, subscription, coupons, credits, taxCases } = billing;
  const after = searchId(await props.searchParams, "credit");
  const here = addressOf(merchant.id);
  const isSubscribed = subscription !== null && subscription.status !== "cancelled";
  return (
    <>
      <PageHead title={`Billing of ${merchant.name}`} act={<AssignPlan billing={billing} email={email} />}>
        Subscription, coupons and credits of this merchant.
      </PageHead>
      <SubscriptionFacts billing={billing} email={email} reader={reader} />
      {taxCases.length > 0 ? (
        <Section title="Draft invoices without a tax region">
          <TaxCaseTable cases={taxCases} now={now} reader={reader} />
        </Section>
      ) : null}
      <Section
        title="Coupons"
        act={
          isSubscribed ? <ApplyCoupon merchantId={merchant.id} offered={billing.offeredCoupons} email={email} /> : null
        }
      >
        {coupons.length > 0 ? (
          <CouponList billing={billing} email={email} now={now} reader={reader} />
        ) : (
          <EmptyState title="No coupons">
            {isSubscribed
              ? "Coupons that you apply to the subscription are listed here."
              : "Assign a plan first. Coupons apply to a subscription."}
          </EmptyState>
        )}
      </Section>
      <Section title="Credits" act={<GrantCredit billing={billing} email={email} locale={reader.locale} />}>
        {credits.length > 0 ? (
          <MerchantCreditTable credits={credits} now={now} reader={reader} />
        ) : (
          <EmptyState title="No credits">
            Prepaid and promotional credits that you grant are listed here, with the credit balance.
          </EmptyState>
        )}
        <Pager
          newest={after === undefined ? null : here}
          older={billing.hasMoreCredits ? listAddress(here, { credit: credits.at(-1)?.id }) : null}
        />
      </Section>
      <SlaCredits billing={billing} email={email} reader={reader} />
      <div>
        <ButtonLink href={`/operator/merchants/${merchant.id}`} size="small">
          {merchant.name}
        </ButtonLink>
      </div>
    </>
  );
};

export default MerchantBillingPage;
