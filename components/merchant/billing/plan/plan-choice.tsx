import type { MerchantPlanComparison } from "#server/trpc/merchant/billing/plan-views.ts";
import type { Reader } from "../../../format/reader.ts";
import { PlanCard, pricedMeters } from "../../../pricing/plan-card.tsx";
import styles from "../../../pricing/pricing.module.css";
import { ButtonLink } from "../../../ui/button.tsx";
import { Pill } from "../../../ui/pill.tsx";

type Props = {
  comparison: MerchantPlanComparison;
  reader: Reader;
  /** true: the member may change the plan, and no change is pending */
  isOpen: boolean;
};

const lists = new Intl.ListFormat("en", { type: "conjunction" });

/** The plans side by side, including the merchant's own plan. */
export const PlanChoice = ({ comparison: { plans, subscription }, reader, isOpen }: Props) => {
  const meters = pricedMeters(plans.map(({ plan }) => plan));
  return (
    <ul className={styles.plans}>
      {plans.map(({ plan, isCurrent, unpriced }) => (
        <PlanCard
          key={`${plan.id} ${plan.version}`}
          // A trial begins only with a new subscription.
          plan={{ ...plan, trial_days: 0 }}
          meters={meters}
          reader={reader}
          mark={<Mark isCurrent={isCurrent} isNewer={!isCurrent && plan.id === subscription.plan.id} />}
          act={<Act planId={plan.id} name={plan.name} isShown={isOpen && !isCurrent} unpriced={unpriced} />}
        />
      ))}
    </ul>
  );
};

const Mark = ({ isCurrent, isNewer }: { isCurrent: boolean; isNewer: boolean }) => {
  if (isCurrent) return <Pill tone="good">Your plan</Pill>;
  return isNewer ? <Pill tone="note">New prices</Pill> : null;
};

type ActProps = { planId: string; name: string; isShown: boolean; unpriced: readonly string[] };

const Act = ({ planId, name, isShown, unpriced }: ActProps) => {
  if (!isShown) return null;
  if (unpriced.length > 0) {
    return (
      <p className="small muted">You have payments in {lists.format(unpriced)}. This plan has no prices for them.</p>
    );
  }
  return <ButtonLink href={`/merchant/billing/plan/change?plan=${planId}`}>Preview change to {name}</ButtonLink>;
};
