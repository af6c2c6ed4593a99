import type { Metadata } from "next";
import { PageFrame, SiteLinks } from "#components/layout/page-frame.tsx";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { Calculator } from "#components/pricing/calculator.tsx";
import { PlanCard, pricedMeters } from "#components/pricing/plan-card.tsx";
import styles from "#components/pricing/pricing.module.css";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { listPublicPlans } from "#server/billing/catalogue/list-public-plans.ts";
import { type PublicPlan, toPublicPlan } from "#server/billing/catalogue/public-plan.wire.ts";
import { toYearly } from "#server/kernel/billing/interval-months.ts";
import { currentTheme, pageDeps } from "../../page-context.ts";
import { onlyOne } from "../page-query.ts";

export const metadata: Metadata = { title: "Pricing" };

/** More than a price list has: there are no further pages. */
const maxPlans = 100;
const reader = { locale: "en-GB" };

const yearlyFlat = ({ flat, interval }: PublicPlan): number => toYearly(flat, interval);
const cheapestFirst = (one: PublicPlan, other: PublicPlan): number => yearlyFlat(one) - yearlyFlat(other);

const PricingPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const [deps, theme, query] = await Promise.all([pageDeps(), currentTheme(), searchParams]);
  const { config } = deps;
  const page = { currency: null, limit: maxPlans, startingAfter: null, endingBefore: null };
  const { plans } = await listPublicPlans(deps, page);
  const currencies = [...new Set(plans.flatMap(({ terms }) => [...terms.currencies.keys()]))];
  const requested = onlyOne(query, "currency");
  const currency = currencies.find((code) => code === requested) ?? currencies[0];
  const listed =
    currency === undefined
      ? []
      : plans
          .filter(({ terms }) => terms.currencies.has(currency))
          .map((plan) => toPublicPlan(plan, currency))
          .toSorted(cheapestFirst);
  const demo = config.environment === "sandbox" ? "/demo" : `${config.sandboxUrl}/demo`;
  return (
    <PageFrame
      width="wide"
      environment={config.environment}
      theme={theme}
      statusUrl={config.statusUrl}
      aside={<SiteLinks demoUrl={demo} isSignUpOpen={config.signUp === "open"} />}
    >
      <header className={styles.head}>
        <div>
          <h1>Pricing</h1>
          <p className="muted">Merchants pay for what they use. Payers, apps and agents pay nothing.</p>
        </div>
        {currencies.length > 1 ? <Currencies all={currencies} current={currency} /> : null}
      </header>
      {currency === undefined ? (
        <EmptyState title="No plans yet">The operator of this service hasn’t published a plan.</EmptyState>
      ) : (
        <PriceList plans={listed} meters={pricedMeters(listed)} currency={currency} />
      )}
    </PageFrame>
  );
};

const Currencies = ({ all, current }: { all: readonly string[]; current: string | undefined }) => (
  <nav aria-label="Currency" className={styles.currencies}>
    {all.map((code) => (
      <ButtonLink
        key={code}
        href={`/pricing?currency=${code}`}
        variant={code === current ? "plain" : "quiet"}
        aria-current={code === current ? "true" : undefined}
      >
        {code}
      </ButtonLink>
    ))}
  </nav>
);

type PriceListProps = { plans: readonly PublicPlan[]; meters: readonly string[]; currency: string };

const PriceList = ({ plans, meters, currency }: PriceListProps) => (
  <>
    <ul className={styles.plans}>
      {plans.map((plan) => (
        <PlanCard
          key={plan.id}
          plan={plan}
          meters={meters}
          reader={reader}
          act={<ButtonLink href="/merchant/new">Start selling</ButtonLink>}
        />
      ))}
    </ul>
    <section className={styles.section} aria-labelledby="calculator">
      <div>
        <h2 id="calculator">Calculate your costs</h2>
        <p className="muted">
          Enter your usage for one month. The costs of all plans are shown per month. Open a plan to see the lines of
          its estimate. Estimates use the same calculation as invoices, and are also in the API (
          <a href="/docs/api/estimateInvoice">POST /billing/estimate</a>).
        </p>
      </div>
      <Calculator key={currency} plans={plans} currency={currency} reader={reader} />
    </section>
  </>
);

export default PricingPage;
