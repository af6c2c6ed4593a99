import type { OperatorMaintenance } from "#server/trpc/operator/operator-status-views.ts";
import type { Tone } from "../../ui/pill.tsx";

export const maintenanceStates: Readonly<Record<OperatorMaintenance["state"], { tone: Tone; label: string }>> = {
  scheduled: { tone: "note", label: "Scheduled" },
  in_progress: { tone: "warn", label: "In progress" },
  completed: { tone: "good", label: "Completed" },
  cancelled: { tone: "neutral", label: "Canceled" },
};
