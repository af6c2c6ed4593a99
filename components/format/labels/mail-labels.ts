import type { OperatorMail } from "#server/trpc/operator/operator-views.ts";
import type { Tone } from "../../ui/pill.tsx";

type State = OperatorMail["state"];

export const mailStates: Readonly<Record<State, { tone: Tone; label: string }>> = {
  pending: { tone: "unknown", label: "Pending" },
  kept: { tone: "neutral", label: "Not sent" },
  sent: { tone: "good", label: "Sent" },
  failed: { tone: "bad", label: "Failed" },
};

export const isMailState = (text: string | undefined): text is State =>
  text !== undefined && Object.hasOwn(mailStates, text);
