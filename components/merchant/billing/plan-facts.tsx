import type { MerchantSubscribedPlan } from "#server/trpc/merchant/billing/plan-views.ts";
import { formatDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Pill } from "../../ui/pill.tsx";
import { formatBilledPeriod } from "./billed-period.ts";
import { subscriptionStatusLabels } from "./subscription-labels.ts";

export const PlanFacts = ({ subscription, reader }: { subscription: MerchantSubscribedPlan; reader: Reader }) => {
  const { plan, status, period, trialEndsAt, cancelAt, nextPlan } = subscription;
  const { tone, label } = subscriptionStatusLabels[status];
  return (
    <Facts>
      <Fact name="Plan">
        {plan.name}, version {plan.version}
      </Fact>
      <Fact name="Status">
        <Pill tone={tone}>{label}</Pill>
      </Fact>
      <Fact name={status === "cancelled" ? "Last period" : "Current period"}>{formatBilledPeriod(period, reader)}</Fact>
      {status === "trialing" && trialEndsAt ? (
        <Fact name="Trial ends">{formatDateTime(new Date(trialEndsAt), reader)}</Fact>
      ) : null}
      {nextPlan ? (
        <Fact name="Next plan">
          {nextPlan.name}, version {nextPlan.version}, from {formatDateTime(new Date(nextPlan.startsAt), reader)}
        </Fact>
      ) : null}
      {cancelAt ? (
        <Fact name={status === "cancelled" ? "Ended" : "Ends"}>{formatDateTime(new Date(cancelAt), reader)}</Fact>
      ) : null}
    </Facts>
  );
};
