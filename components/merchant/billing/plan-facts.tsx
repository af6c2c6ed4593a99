import type { MerchantPlanUsage } from "#server/trpc/merchant/billing/plan-usage.ts";
import { formatDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Pill, type Tone } from "../../ui/pill.tsx";
import { formatBilledPeriod } from "./billed-period.ts";

const statusLabels: Readonly<Record<MerchantPlanUsage["status"], { tone: Tone; label: string }>> = {
  trialing: { tone: "note", label: "Trial" },
  active: { tone: "good", label: "Active" },
  past_due: { tone: "warn", label: "Past due" },
  suspended: { tone: "bad", label: "Suspended" },
  cancelled: { tone: "neutral", label: "Cancelled" },
};

export const PlanFacts = ({ usage, reader }: { usage: MerchantPlanUsage; reader: Reader }) => {
  const { plan, status, period, trialEndsAt, cancelAt, nextPlan } = usage;
  const { tone, label } = statusLabels[status];
  return (
    <Facts>
      <Fact name="Plan">
        {plan.id}, version {plan.version}
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
          {nextPlan.id}, version {nextPlan.version}
        </Fact>
      ) : null}
      {cancelAt ? <Fact name="Ends">{formatDateTime(new Date(cancelAt), reader)}</Fact> : null}
    </Facts>
  );
};
