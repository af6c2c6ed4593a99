import type { ProcessorAccount } from "#server/merchants/processor/get-processor-account.ts";
import { disabledReasonText } from "../../../format/labels/processor-labels.ts";

/** The account as the API returns it, with dates as text. */
export type ProcessorView = Omit<ProcessorAccount, "dueBy" | "checkedAt"> & {
  dueBy: string | null;
  checkedAt: string | null;
};

/** What the state of the account means for the merchant, and what to do. */
export const processorText = ({ state, due, payoutsEnabled, disabledReason }: ProcessorView): string => {
  switch (state) {
    case "not_connected":
      return "Payments go to your own Stripe account. Stripe asks for your business details and a bank account. Until Stripe has checked these details, payments are refused.";
    case "details_needed":
      return "Payments are refused until Stripe has all details of your business.";
    case "in_review":
      return "Stripe is checking your details. This takes minutes, or sometimes a few days. Payments are refused until then.";
    case "enabled":
      return enabledText({ due, payoutsEnabled });
    case "restricted":
      return "Stripe stopped your payments because details are overdue. To charge again, enter the missing details at Stripe.";
    case "disabled":
      if (disabledReason === "platform_paused")
        return "Paygrant paused the Stripe account. Payments are refused. Contact Paygrant.";
      return `Stripe disabled the account: ${disabledReasonText(disabledReason)}. Payments are refused. Contact Stripe’s support.`;
    case "disconnected":
      return "The account was disconnected at Stripe or deleted. Payments are refused. Contact Paygrant.";
  }
};

/** Whether Stripe has a page on which the merchant can go on. */
export const isContinuable = ({ isConnectable, state }: Pick<ProcessorView, "isConnectable" | "state">): boolean =>
  isConnectable && state !== "not_connected" && state !== "disabled" && state !== "disconnected";

const enabledText = ({ due, payoutsEnabled }: Pick<ProcessorView, "due" | "payoutsEnabled">): string => {
  if (!payoutsEnabled) return "You can charge. Stripe holds your payouts until you answer its questions.";
  return due.length > 0
    ? "You can charge, and Stripe pays out to your bank account. To avoid an interruption, give Stripe the details that it still needs."
    : "You can charge, and Stripe pays out to your bank account.";
};
