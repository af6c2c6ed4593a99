import type { DisputeStatus } from "#server/charges/rules/dispute.ts";
import type { Tone } from "../../ui/pill.tsx";
import { capitalize } from "../text.ts";

export const disputeStatusLabels: Readonly<Record<DisputeStatus, { tone: Tone; label: string }>> = {
  open: { tone: "warn", label: "Open" },
  won: { tone: "good", label: "Won" },
  lost: { tone: "bad", label: "Lost" },
};

export const isDisputeStatus = (text: string | undefined): text is DisputeStatus =>
  text !== undefined && Object.hasOwn(disputeStatusLabels, text);

/** A code of a processor in words: `product_not_received` becomes `Product not received`. */
export const codeLabel = (code: string): string => {
  const words = code.replaceAll("_", " ");
  return capitalize(words);
};
