import type { InitialToken } from "#server/trpc/merchant/app-views.ts";
import type { Tone } from "../../ui/pill.tsx";

export const tokenStates: Readonly<Record<InitialToken["state"], { tone: Tone; label: string }>> = {
  live: { tone: "good", label: "Active" },
  spent: { tone: "neutral", label: "Used up" },
  expired: { tone: "neutral", label: "Expired" },
  revoked: { tone: "bad", label: "Revoked" },
};
