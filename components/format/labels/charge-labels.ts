import type { Translator } from "#server/kernel/messages/translator.ts";
import type { WalletCharge, WalletChargeDetail } from "#server/trpc/wallet/views.ts";
import type { Tone } from "../../ui/pill.tsx";

export type ActivityTexts = Translator<"activity">;

const chargeTones: Readonly<Record<WalletCharge["state"], Tone>> = {
  reserved: "note",
  requires_action: "warn",
  submitted: "note",
  processing: "note",
  unknown: "unknown",
  authorized: "note",
  succeeded: "good",
  captured: "good",
  partially_captured: "good",
  partially_refunded: "good",
  refunded: "neutral",
  declined: "bad",
  voided: "neutral",
  expired: "neutral",
  disputed: "warn",
};

export const chargeStateLabel = ({ state }: Pick<WalletCharge, "state">, t: ActivityTexts) => ({
  tone: chargeTones[state],
  label: t(`states.${state}`),
});

export type RefundState = WalletChargeDetail["refunds"][number]["status"];

const refundTones: Readonly<Record<RefundState, Tone>> = { pending: "note", succeeded: "good", failed: "bad" };

export const refundStateLabel = (status: RefundState, t: ActivityTexts) => ({
  tone: refundTones[status],
  label: t(`charge.refundStates.${status}`),
});
