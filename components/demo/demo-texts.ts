import { formatAmount } from "../format/money.ts";
import { coffee, currency, limits, type StepId } from "./demo-flow.ts";

export const price = (amountMinor: number): string => formatAmount(amountMinor, currency, { locale: "en-GB" });

export const stepTexts: Readonly<Record<StepId, { actor: string; title: string; text: string }>> = {
  meet: {
    actor: "Agent and shop",
    title: "Two strangers register",
    text: "Each makes a key pair in this browser and registers the public half. There are no passwords and no shared secrets.",
  },
  ask: {
    actor: "Agent",
    title: "The agent asks for a mandate",
    text: `It pushes what it would like: at most ${price(limits.perPaymentMinor)} a payment and ${price(limits.perMonthMinor)} a month, at this one shop. Everything is checked before you are bothered.`,
  },
  decide: {
    actor: "You",
    title: "You decide",
    text: "The real consent page opens: sign in as the demo payer, lower a limit if you like, then approve.",
  },
  token: {
    actor: "Agent",
    title: "The agent gets its token",
    text: "The code you brought back works once, for a minute, and only for the key that asked.",
  },
  check: {
    actor: "Shop",
    title: "The shop checks before it promises",
    text: "It asks whether a payment would fit. The answer says valid or why not, and nothing else about your limits.",
  },
  charge: {
    actor: "Shop",
    title: "The shop charges",
    text: `${price(coffee.amountMinor)} for ${coffee.name}. Your limits are counted in the same transaction, so they can’t be overrun.`,
  },
  stop: {
    actor: "You, or the agent",
    title: "Stop it",
    text: "Stop the mandate in your wallet, or let the agent give it back. Either way it ends at once.",
  },
  refused: {
    actor: "Shop",
    title: "The shop tries again",
    text: "A new try of the same purchase. The very next request is refused.",
  },
};

/** Instead of the requests of a step that has none yet. */
export const emptyStepTexts: Partial<Record<StepId, string>> = {
  decide: "You leave for the consent page, and come back with a code.",
  stop: "Stopping in the wallet is a click of yours; the agent’s way is a request, which will stand here.",
};
