import type { Metadata } from "next";
import { formatEnd, formatEndInSentence } from "#components/format/dates.ts";
import type { Reader } from "#components/format/reader.ts";
import { EndPlan, KeepPlan } from "#components/merchant/billing/plan/end-plan.tsx";
import { PlanChoice } from "#components/merchant/billing/plan/plan-choice.tsx";
import { UnpricedNotice } from "#components/merchant/billing/plan/unpriced-notice.tsx";
import { WithdrawChange } from "#components/merchant/billing/plan/withdraw-change.tsx";
import { PlanFacts } from "#components/merchant/billing/plan-facts.tsx";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { MerchantSubscribedPlan } from "#server/trpc/merchant/billing/plan-views.ts";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "Plan" };

const PlanPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const { changed } = await searchParams;
  const { api, merchantId, reader, may } = await merchantPage("/merchant/billing/plan");
  const comparison = await api.merchantPlans.compare({ merchantId });
  if (!comparison) {
    return (
      <>
        <PageHead title="Plan">Your plan sets the prices of your usage.</PageHead>
        <EmptyState title="No plan yet" act={<ButtonLink href="/pricing">See all plans</ButtonLink>}>
          Paygrant assigns your merchant’s first plan. Until then, nothing is billed.
        </EmptyState>
      </>
    );
  }
  const { subscription, plans } = comparison;
  const mayChange = may("billing.change");
  const isRunning = subscription.status !== "cancelled";
  const isOpen = mayChange && isRunning && subscription.nextPlan === null;
  return (
    <>
      <PageHead title="Plan">Your plan sets the prices of your usage.</PageHead>
      <Changed changed={changed} subscription={subscription} />
      <PlanFacts subscription={subscription} reader={reader} />
      <PlanNotice subscription={subscription} reader={reader} />
      <UnpricedNotice currencies={plans.find(({ isCurrent }) => isCurrent)?.unpriced ?? []} />
      <Section title="Compare plans">
        <PlanChoice comparison={comparison} reader={reader} isOpen={isOpen} />
        {mayChange || !isRunning ? null : <p className="small muted">Owners and admins can change the plan.</p>}
      </Section>
      {mayChange && isRunning ? <PendingChange merchantId={merchantId} subscription={subscription} /> : null}
      {isOpen ? (
        <Section
          title="End the plan"
          act={<EndOrKeep merchantId={merchantId} subscription={subscription} reader={reader} />}
        >
          <p className="small muted">
            {subscription.cancelAt === null
              ? "You can set the plan to end when the current period ends. Until then, you can undo this. If you end the plan now, you can’t undo it."
              : "The plan is set to end. Until it ends, you can decide to keep it."}
          </p>
        </Section>
      ) : null}
    </>
  );
};

type SubscriptionProps = { subscription: MerchantSubscribedPlan; reader: Reader };

const EndOrKeep = ({ merchantId, subscription, reader }: SubscriptionProps & { merchantId: string }) => {
  const { cancelAt, plan, period } = subscription;
  if (cancelAt !== null) return <KeepPlan merchantId={merchantId} />;
  const periodEnd = formatEnd(new Date(period.to), reader);
  return <EndPlan merchantId={merchantId} planName={plan.name} periodEnd={periodEnd} />;
};

type PendingProps = Pick<SubscriptionProps, "subscription"> & { merchantId: string };

const PendingChange = ({ merchantId, subscription: { plan, nextPlan } }: PendingProps) =>
  nextPlan && (
    <Section
      title="Withdraw the change"
      act={<WithdrawChange merchantId={merchantId} planName={plan.name} nextPlanName={nextPlan.name} />}
    >
      <p className="small muted">
        You can withdraw the change to {nextPlan.name} until it takes effect. If you withdraw it, {plan.name} continues.
      </p>
    </Section>
  );

type ChangedProps = Pick<SubscriptionProps, "subscription"> & { changed: SearchParams[string] };

/** Confirms the member's change. The text names the current plans, so it is true even if an old link is opened. */
const Changed = ({ changed, subscription: { status, plan, nextPlan } }: ChangedProps) => {
  const text =
    changed === "now" && status !== "cancelled"
      ? `Your plan is now ${plan.name}.`
      : changed === "period_end" && nextPlan
        ? `The change to ${nextPlan.name} is saved.`
        : null;
  return text === null ? null : (
    <Notice tone="good" isLive>
      {text}
    </Notice>
  );
};

/** Says that a change or the end of the plan is planned, or that the plan has ended. */
const PlanNotice = ({ subscription, reader }: SubscriptionProps) => {
  const { status, nextPlan, cancelAt, plan } = subscription;
  if (status === "cancelled") {
    return <Notice tone="note">Your plan has ended. Contact Paygrant to get a new one.</Notice>;
  }
  if (nextPlan) {
    return (
      <Notice tone="note">
        {nextPlan.name} replaces {plan.name} {formatEndInSentence(new Date(nextPlan.startsAt), reader)}. To make another
        change before then, withdraw this one first.
      </Notice>
    );
  }
  return cancelAt === null ? null : (
    <Notice tone="warn">
      {plan.name} ends {formatEndInSentence(new Date(cancelAt), reader)}. This end date also applies after an immediate
      change of plan. To change the plan at the end of the period, choose Keep plan first.
    </Notice>
  );
};

export default PlanPage;
