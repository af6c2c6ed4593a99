import { formatAmount } from "../format/money.ts";
import { coffee, currency, requestedLimits, type StepId } from "./demo-steps.ts";

export const price = (amountMinor: number): string => formatAmount(amountMinor, currency, { locale: "en-GB" });

type StepText = { actor: string; title: string; text: string };

/** The demo payer exists only in demo data. Elsewhere, people use their own account. */
export const stepText = (step: StepId, { hasDemoPayer }: { hasDemoPayer: boolean }): StepText =>
  step === "decide" && !hasDemoPayer ? { ...stepTexts.decide, text: decideWithOwnAccount } : stepTexts[step];

const decideWithOwnAccount =
  "The real consent page opens: sign in or create an account, lower a limit if you like, then approve.";

const stepTexts: Readonly<Record<StepId, StepText>> = {
  register: {
    actor: "Agent and shop",
    title: "The agent and the shop register",
    text: "Each creates a key pair in this browser and registers the public key. There are no passwords and no shared secrets.",
  },
  request: {
    actor: "Agent",
    title: "The agent asks for a mandate",
    text: `The agent requests at most ${price(requestedLimits.perPaymentMinor)} a payment and ${price(requestedLimits.perMonthMinor)} a month, at this shop only. Paygrant checks the request before you see it.`,
  },
  decide: {
    actor: "You",
    title: "You decide",
    text: "The real consent page opens: sign in as the demo payer, lower a limit if you like, then approve.",
  },
  token: {
    actor: "Agent",
    title: "The agent gets its token",
    text: "The code from the consent page works once, for one minute, and only with the agent’s key.",
  },
  check: {
    actor: "Shop",
    title: "The shop checks the mandate",
    text: "The shop asks whether a payment is allowed. The response is yes, or no with a reason. It reveals your remaining limits only if you allow this.",
  },
  charge: {
    actor: "Shop",
    title: "The shop charges",
    text: `${price(coffee.amountMinor)} for ${coffee.name}. Your limits are checked in the transaction that reserves the amount, so they can’t be exceeded.`,
  },
  stop: {
    actor: "You, or the agent",
    title: "Stop it",
    text: "Stop the mandate in your wallet, or let the agent revoke it. In both cases, the mandate ends immediately.",
  },
  refused: {
    actor: "Shop",
    title: "The shop tries again",
    text: "The shop charges for the same purchase again. The request is refused.",
  },
};

/** Shown for a step that has no requests yet. */
export const emptyStepTexts: Partial<Record<StepId, string>> = {
  decide: "The consent page opens, and returns here with a code.",
  stop: "If the agent revokes the mandate, the agent’s request appears here. In your wallet, you stop the mandate with a click.",
};
