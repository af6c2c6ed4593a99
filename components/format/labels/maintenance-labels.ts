import type { OperatorMaintenance } from "#server/trpc/operator/operator-status-views.ts";
import type { Tone } from "../../ui/pill.tsx";

type State = OperatorMaintenance["state"];

export const maintenanceStates: Readonly<Record<State, { tone: Tone; label: string }>> = {
  scheduled: { tone: "note", label: "Scheduled" },
  in_progress: { tone: "warn", label: "In progress" },
  completed: { tone: "good", label: "Completed" },
  cancelled: { tone: "neutral", label: "Canceled" },
};

export const isMaintenanceState = (text: string | undefined): text is State =>
  text !== undefined && Object.hasOwn(maintenanceStates, text);
