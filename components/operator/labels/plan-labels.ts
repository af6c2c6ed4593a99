import type { OperatorCatalogue } from "#server/trpc/operator/plans/operator-plan-views.ts";
import type { Tone } from "../../ui/pill.tsx";

type Plan = OperatorCatalogue["plans"][number];

export const planStates: Readonly<Record<Plan["state"], { tone: Tone; label: string }>> = {
  public: { tone: "good", label: "Public" },
  hidden: { tone: "note", label: "Hidden" },
  retired: { tone: "neutral", label: "Retired" },
};

export const planIntervals: Readonly<Record<Plan["interval"], string>> = {
  month: "Monthly",
  quarter: "Quarterly",
  year: "Yearly",
};
