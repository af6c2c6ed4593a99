import type { MerchantSubscribedPlan } from "#server/trpc/merchant/billing/plan-views.ts";
import type { Tone } from "../../ui/pill.tsx";

export const subscriptionStatusLabels: Readonly<
  Record<MerchantSubscribedPlan["status"], { tone: Tone; label: string }>
> = {
  trialing: { tone: "note", label: "Trial" },
  active: { tone: "good", label: "Active" },
  past_due: { tone: "warn", label: "Past due" },
  suspended: { tone: "bad", label: "Suspended" },
  cancelled: { tone: "neutral", label: "Ended" },
};
