import type { Random } from "../malformed/random.ts";
import { postForm } from "../support/answers/wire.ts";
import { forgetSessions } from "../support/oauth/consent-driver.ts";
import { answerInWallet } from "../support/oauth/wallet.ts";
import type { Order } from "./orders.ts";

type Question = { type: string; url: string };

/** What a charge's last answer says that its payer still has to do. */
const questionOf = ({ answer }: Order): Question | null => {
  const action = answer?.status === 202 && answer.json?.["status"] === "requires_action" && answer.json["next_action"];
  return action ? (action as Question) : null;
};

export const isAsked = (order: Order): boolean => questionOf(order) !== null;

/**
 * The payer's word on a charge: approval in the wallet, or the bank's own page. Nobody may hear it, while everything is
 * being killed; the payer sees that it is still asked for, and says it again.
 */
export const answerAsPayer = async (order: Order, random: Random): Promise<void> => {
  const question = questionOf(order);
  if (!question) return;
  const isAllowed = random.chance(80);
  const answering =
    question.type === "redirect"
      ? postForm(question.url, { result: isAllowed ? "confirm" : "refuse" })
      : answerInWallet(order.merchant.baseUrl, isAllowed ? "approve" : "decline", String(order.answer?.json?.["id"]));
  const heard = await answering.catch((error: unknown) => String(error));
  if (typeof heard !== "string" && heard.status < 400) return;
  // Whoever isn't heard signs in again; why it was so is told where it stays so.
  forgetSessions();
  order.refusal = typeof heard === "string" ? heard : `${heard.status} ${heard.text.slice(0, 300)}`;
};
