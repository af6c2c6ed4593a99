import type { Metadata } from "next";
import { CouponTable } from "#components/operator/plans/coupon-table.tsx";
import { PlanTable } from "#components/operator/plans/plan-table.tsx";
import { TaxRateTable } from "#components/operator/plans/tax-rate-table.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Plans" };

const PlansPage = async () => {
  const { api, reader } = await operatorPage("/operator/plans", "catalogue_plan.list");
  const { plans, coupons, taxRates } = await api.operatorPlans.list();
  return (
    <>
      <PageHead title="Plans">
        All plans of the catalogue. To change the catalogue, apply a file with <code>npm run plans</code>.
      </PageHead>
      {plans.length > 0 ? (
        <PlanTable plans={plans} locale={reader.locale} />
      ) : (
        <EmptyState title="No plans yet">
          Apply a catalogue with npm run plans. The file docs/examples/plans.yaml is an example.
        </EmptyState>
      )}
      <Section title="Coupons">
        {coupons.length > 0 ? (
          <CouponTable coupons={coupons} reader={reader} />
        ) : (
          <EmptyState title="No coupons">Coupons of the catalogue are listed here.</EmptyState>
        )}
      </Section>
      <Section title="Tax rates">
        {taxRates.length > 0 ? (
          <TaxRateTable taxRates={taxRates} reader={reader} />
        ) : (
          <EmptyState title="No tax rates">Tax rates of the catalogue are listed here.</EmptyState>
        )}
      </Section>
    </>
  );
};

export default PlansPage;
