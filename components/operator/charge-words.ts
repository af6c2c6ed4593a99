import type { OperatorChargeDetail } from "#server/trpc/operator-views.ts";
import type { Tone } from "../ui/pill.tsx";

const states: Partial<Record<OperatorChargeDetail["state"], { tone: Tone; label: string }>> = {
  unknown: { tone: "unknown", label: "Outcome unknown" },
  succeeded: { tone: "good", label: "Succeeded" },
  authorized: { tone: "good", label: "Authorised" },
  declined: { tone: "bad", label: "Declined" },
};

const words = (name: string): string => {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

export const chargeState = ({ state }: Pick<OperatorChargeDetail, "state">): { tone: Tone; label: string } =>
  states[state] ?? { tone: "neutral", label: words(state) };

const acts: Readonly<Record<string, string>> = {
  "charge.handed_over": "Handed over to an operator",
  "charge.searched": "Searched again, nothing found out",
  "charge.unknown": "Its outcome became unknown",
};

export const actName = (action: string): string => acts[action] ?? words(action.replace(/^charge\./, ""));

export const actorName = ({ actorKind, actorId }: { actorKind: string; actorId: string }): string =>
  actorKind === "system" ? `the ${actorId}` : `${actorKind} ${actorId}`;
