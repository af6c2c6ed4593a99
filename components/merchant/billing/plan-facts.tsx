import type { MerchantSubscribedPlan } from "#server/trpc/merchant/billing/plan-views.ts";
import { formatDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Pill, type Tone } from "../../ui/pill.tsx";
import { formatBilledPeriod } from "./billed-period.ts";

const statusLabels: Readonly<Record<MerchantSubscribedPlan["status"], { tone: Tone; label: string }>> = {
  trialing: { tone: "note", label: "Trial" },
  active: { tone: "good", label: "Active" },
  past_due: { tone: "warn", label: "Past due" },
  suspended: { tone: "bad", label: "Suspended" },
  cancelled: { tone: "neutral", label: "Cancelled" },
};

export const PlanFacts = ({ subscription, reader }: { subscription: MerchantSubscribedPlan; reader: Reader }) => {
  const { plan, status, period, trialEndsAt, cancelAt, nextPlan } = subscription;
  const { tone, label } = statusLabels[status];
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
      {cancelAt ? <Fact name="Ends">{formatDateTime(new Date(cancelAt), reader)}</Fact> : null}
    </Facts>
  );
};
